import type { FailureType } from '../../internal/failure-types.ts';

/**
 * What hosts write in place of an output, at its beginning. They say how the call went as surely as a flag,
 * and some of it is told to the model as an error although nothing was run.
 */
const MESSAGES: readonly (readonly [RegExp, FailureType | 'as said'])[] = [
  // Someone decided that it does not run.
  [/^the user doesn't want to (?:proceed|take this action)/i, 'denied'],
  [
    /^(?:the )?user (?:denied|rejected|declined|refused|chose to (?:skip|reject)|did not approve)\b/i,
    'denied',
  ],
  [
    /^(?:the )?(?:tool|command|exec command|action|operation|edit|call) .{0,60}(?:rejected|denied|declined) by (?:the )?user\b/i,
    'denied',
  ],
  [/^permission to use \S{1,80} .{0,40}denied/i, 'denied'],
  [
    /^(?:pretooluse|posttooluse|pre-tool|before_?tool)\S{0,60} hook (?:error|blocked|denied)/i,
    'denied',
  ],
  [/^tool execution (?:blocked|denied)\b/i, 'denied'],
  [/^(?:claude requested permissions|this (?:bash )?command .{0,80}requires approval)/i, 'denied'],
  [/^.{1,120} was blocked\. For security/, 'denied'],
  [/^(?:access |call |command )?(?:blocked|vetoed) by /i, 'denied'],
  [/^action rejected\b/i, 'denied'],
  // Someone took it back, or it went down with another call.
  [/^\[?request interrupted by user/i, 'cancelled'],
  [/^sibling tool call errored/i, 'cancelled'],
  [/^cancelled: parallel tool call/i, 'cancelled'],
  [
    /^\[?(?:operation|tool call|tool execution|command)(?: was)? (?:cancell?ed|aborted|interrupted)\b/i,
    'cancelled',
  ],
  [/^(?:aborted|cancell?ed) by (?:the )?user/i, 'cancelled'],
  [/^(?:command was )?interrupted by (?:the )?user/i, 'cancelled'],
  // Agent Zero.
  [/^\[system: returning control to agent after \d+ seconds? with no output/i, 'timeout'],
  [/^\[system: (?:returning control|maximum execution time|execution timed out)\b/i, 'timeout'],
  [/^\[system: potential dialog detected/i, 'interactive'],
  [/^\[system: terminal session \S+ might be still running/i, 'conflict'],
  [/^[~`]{3}json\s{1,4}\{\s{1,8}"system_warning": "the runtime /i, 'invalid_args'],
  // opencode, Claude Code, pydantic-ai, LangChain, mini-swe-agent: the time was over.
  [
    /^(?:[\w.]{1,60}: )?(?:command|tool|bash tool|the(?: last)? command|shell command) .{0,60}(?:timed out|exceeding timeout|was cancelled because it took)\b/i,
    'timeout',
  ],
  [/^timed out after \d/i, 'timeout'],
  // Claude Code on what it would not hand over.
  [/^file content \(.{1,40}\) exceeds maximum/i, 'too_large'],
  [/^mcp tool "[^"]{1,100}" response \(.{1,40}\) exceeds/i, 'too_large'],
  [/^this tool cannot read binary/i, 'invalid_args'],
  [/^(?:agent type|unknown skill|unknown slash command)\b/i, 'as said'],
  // SDKs that put an exception into words: the rest of the text says which.
  [/^error (?:invoking|executing|calling|running) tool\b/i, 'as said'],
  [/^an error occurred while running the tool/i, 'as said'],
  [/^(?:the )?tool execution failed\b/i, 'as said'],
  [/^tool ["'`]?[\w.:-]{1,80}["'`]? failed\b/i, 'as said'],
  [
    /^(?:unknown tool|no such tool|tool ["'`]?[\w.:-]{1,80}["'`]? (?:was )?not found)\b/i,
    'unknown_tool',
  ],
  [/^(?:error: )?[\w.:-]{1,80} is not a valid tool\b/i, 'unknown_tool'],
  [/^mcp error -\d/i, 'as said'],
  [/^input validation error: /i, 'invalid_args'],
];

/** Any of them, at one look; of letters it does not tell small from large. */
const ANY_MESSAGE = new RegExp(MESSAGES.map(([form]) => `(?:${form.source})`).join('|'), 'i');

/** What a host wrote at the beginning of an output in place of it; undefined when it wrote nothing. */
export function readHostMessage(
  output: string,
): { type: FailureType | 'as said'; line: string } | undefined {
  const unquoted = withoutCommand(output);
  const head = (unquoted ?? output).slice(0, 400).trimStart();
  if (!ANY_MESSAGE.test(head)) return undefined;
  const found = MESSAGES.find(([form]) => form.test(head));
  if (found === undefined) return undefined;
  // The evidence keeps the command: another command is another failure.
  const [firstLine = ''] = head.split('\n', 1);
  return { type: found[1], line: unquoted === undefined ? firstLine : output.slice(0, 400) };
}

/** How a message quotes a command: `The last command <command>…</command>`, `Command '…'` of Python and others. */
const QUOTE = /^(?:[\w.]{1,60}: )?(?:the )?(?:last )?command (?=<command>|\[?')/i;
const QUOTE_END = /(?:<\/command>|'\]?) (?=timed out|was cancelled)/;

/** The message of a host without the command that it quotes, at any length; undefined where it quotes none. */
function withoutCommand(output: string): string | undefined {
  const [before] = QUOTE.exec(output.slice(0, 100)) ?? [];
  const end = before === undefined ? null : QUOTE_END.exec(output);
  if (before === undefined || end === null) return undefined;
  const after = end.index + end[0].length;
  return before + output.slice(after, after + 400);
}
