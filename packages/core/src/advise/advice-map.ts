import type { AdviceEntry } from './advice-entry.ts';

/**
 * What helps, by tool and by what went wrong. Each text names one next step and what not to do. None asks for
 * more rights than there are: who was refused asks the user.
 *
 * `code_execution_tool` stands for every shell. Where a general text of it would be wrong for a finer type
 * (`df -h` does not help against a rate limit), the finer type has its own.
 */
export const ADVICE_MAP: readonly AdviceEntry[] = Object.freeze([
  {
    tool: 'code_execution_tool',
    type: 'syntax',
    text: 'Read the line it points to: look for a missing quote, bracket or indentation. If quoting is hard, write the code to a file and run that. Do not resend it unread.',
  },
  {
    tool: 'code_execution_tool',
    type: 'invalid_args',
    text: "Read the program's own usage (`--help`) and correct the option or argument it names. Do not guess another spelling.",
  },
  {
    tool: 'code_execution_tool',
    type: 'dependency',
    text: 'Install the package it names first (`pip install <package>`, `npm install <package>`) in the environment the command runs in, then run the command. Do not rerun it before.',
  },
  {
    tool: 'code_execution_tool',
    type: 'timeout',
    text: 'Split the command into smaller steps, narrow what it works on, or run it in the background with its output in a file. Do not just wait longer for the same command.',
  },
  {
    tool: 'code_execution_tool',
    type: 'interactive',
    text: 'The command waits for input that nobody gives. Use its non-interactive flag (`-y`, `--no-input`) or pass the answer on stdin. Do not wait for it.',
  },
  {
    tool: 'code_execution_tool',
    type: 'permission',
    text: 'Look who owns it (`ls -la`) and whether this is the right directory; use a place you may write to, or ask the user. Do not try to gain more rights.',
  },
  {
    tool: 'code_execution_tool',
    type: 'auth',
    text: 'Credentials are missing, wrong or expired. Ask the user for them. Do not retry, and do not look for other credentials.',
  },
  {
    tool: 'code_execution_tool',
    type: 'not_found',
    text: 'Verify the path and the spelling: list the parent directory, or search with `find . -name <file>`; for a command, `which <command>`. Do not guess another path.',
  },
  {
    tool: 'code_execution_tool',
    type: 'edit_mismatch',
    text: 'Read the file again around the place, and copy the text exactly, with its spaces. Make a smaller change. Do not write it from memory.',
  },
  {
    tool: 'code_execution_tool',
    type: 'network',
    text: 'Check once whether the host answers (`curl -v <url>`, `ping <host>`), whether the service runs, and whether a proxy is needed. Do not repeat the command until it does.',
  },
  {
    tool: 'code_execution_tool',
    type: 'rate_limit',
    text: 'Wait as long as the answer says, or a minute, then ask for more in fewer requests. Do not retry at once.',
  },
  {
    tool: 'code_execution_tool',
    type: 'resource',
    text: 'Look at disk space (`df -h`) and memory (`free -m`); free some, or work on less at a time. Do not rerun it before.',
  },
  {
    tool: 'code_execution_tool',
    type: 'too_large',
    text: 'Ask for a part: `head`, `tail`, `grep`, a range of lines, or a filter. Do not ask for all of it again.',
  },
  {
    tool: 'knowledge_tool',
    type: 'not_found',
    text: 'Nothing fits the search. Use fewer and broader words, or say it another way. Do not repeat the same search.',
  },
  {
    tool: 'knowledge_tool',
    type: 'any',
    text: 'Search the files directly with code_execution_tool, or ask the user what is meant. Do not rely on this tool for now.',
  },
  {
    tool: 'call_subordinate',
    type: 'timeout',
    text: 'Give the subordinate a smaller task, split it into parts, or do it yourself. Do not delegate the same task again.',
  },
  {
    tool: 'call_subordinate',
    type: 'any',
    text: 'Do the task yourself, or say more exactly what is wanted before you delegate it. Do not send the same instruction again.',
  },
  {
    tool: 'any',
    type: 'timeout',
    text: 'Break the task into smaller steps and ask for less at once. Do not send the same call again as it is.',
  },
  {
    tool: 'any',
    type: 'interactive',
    text: 'It waits for input that nobody gives. Choose the non-interactive form, or ask the user. Do not wait for it.',
  },
  {
    tool: 'any',
    type: 'permission',
    text: 'Check the path and what you may access; choose another target or ask the user. Do not look for a way around it.',
  },
  {
    tool: 'any',
    type: 'auth',
    text: 'Credentials are missing, wrong or expired. Ask the user for them. Do not retry before.',
  },
  {
    tool: 'any',
    type: 'denied',
    text: 'This was refused on purpose. Respect it, and ask the user how to go on. Do not look for a way around it.',
  },
  {
    tool: 'any',
    type: 'not_found',
    text: 'Verify the name, path and spelling: list what is there, or search for it (`find`) and use the exact name. Do not guess another one.',
  },
  {
    tool: 'any',
    type: 'unknown_tool',
    text: 'Use the exact name of a tool that was offered. Do not call this one again.',
  },
  {
    tool: 'any',
    type: 'edit_mismatch',
    text: 'Read the file again around the place, copy the text to replace exactly, with its spaces, and make a smaller change. Do not write it from memory.',
  },
  {
    tool: 'any',
    type: 'syntax',
    text: 'Read the format that is expected and correct what the message points to. Do not resend it unread.',
  },
  {
    tool: 'any',
    type: 'invalid_args',
    text: "Correct the argument that it names, by the tool's description of its arguments. Do not change the others.",
  },
  {
    tool: 'any',
    type: 'network',
    text: 'Check once whether the host can be reached; if not, use another source or go on without. Do not keep trying.',
  },
  {
    tool: 'any',
    type: 'server_error',
    text: 'The service itself is failing. Use another source, or do something else and come back later. Do not keep trying.',
  },
  {
    tool: 'any',
    type: 'resource',
    text: 'A limit is reached. Free what you can, or ask for less; where a quota or payment is the limit, ask the user. Do not retry before.',
  },
  {
    tool: 'any',
    type: 'rate_limit',
    text: 'Wait as long as the answer says, or a minute, then ask for more in one call. Do not retry at once.',
  },
  {
    tool: 'any',
    type: 'too_large',
    text: 'Ask for a part: an offset and a limit, a range, or a filter. Do not ask for all of it again.',
  },
  {
    tool: 'any',
    type: 'dependency',
    text: 'Install what it names first, where the tool runs, and check that it is there. Do not rerun it before.',
  },
  {
    tool: 'any',
    type: 'conflict',
    text: 'Something changed, or holds what you need. Read the present state again and act on that. Do not force it.',
  },
  {
    tool: 'any',
    type: 'check_failed',
    text: 'The tool works; what it checked is red. Read the first failure, and change the code. Do not run it again unchanged.',
  },
  {
    tool: 'any',
    type: 'execution',
    text: 'Read the error, find its cause, and change the call accordingly, or try the smallest case that shows it. Do not repeat it unchanged.',
  },
]);
