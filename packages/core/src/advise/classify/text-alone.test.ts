import { describe, expect, test } from 'vitest';
import type { FailureType, ToolResult } from '../classification.ts';
import { classify } from './classify.ts';

const ran = (output: string, command?: string): ToolResult => ({
  tool: 'bash',
  output,
  ...(command !== undefined && { arguments: { command } }),
});

type Case = readonly [type: FailureType, output: string, command?: string];

const FRAME = '  File "/srv/app.py", line 3, in load\n    return fetch(url)\n';

/** Outputs of failed commands without a flag or an exit code. */
const SHELL_FAILURES: readonly Case[] = [
  ['dependency', '/usr/local/opt/conda/envs/web/bin/python: No module named uvicorn'],
  ['dependency', 'python3.12: No module named build.__main__', 'python3.12 -m build'],
  ['not_found', '-bash: jq: command not found'],
  ['not_found', '/bin/sh: 1: file: not found', 'file image.png'],
  ['not_found', 'zsh: command not found: tree', 'tree src'],
  ['not_found', 'Starting\nreading config\n/bin/sh: 4: envsubst: not found'],
  ['not_found', "built\ncp: cannot stat 'out': No such file or directory", './build.sh; cp out in'],
  [
    'invalid_args',
    'usage: resize [-h] --width W\nresize: error: argument --width: expected one value',
  ],
  [
    'execution',
    `Loading\nTraceback (most recent call last):\n${FRAME}app.errors.NotReady: warm up first`,
  ],
  ['execution', `Traceback (most recent call last):\n${FRAME}StopIteration`],
  [
    'conflict',
    'Auto-merging a.md\nAutomatic merge failed; fix conflicts and then commit the result.',
  ],
  [
    'execution',
    'Auto-merging a.md\nerror: could not apply 4f1… Title\nhint: resolve it\nhint: then run',
  ],
  [
    'execution',
    "terminate called after throwing an instance of 'std::bad_cast'\n  what():  bad\nAborted",
  ],
  ['execution', 'read 4 rows\nAborted (core dumped)'],
  ['resource', 'Packing…\n❌ Failed to write archive: no space left on device'],
  [
    'check_failed',
    '..E\nRan 3 tests in 0.1s\n\nFAILED (errors=1)\nDestroying the database\nDone\nBye',
  ],
  ['check_failed', `ok\nFAILED (failures=2)\n${'removing a copy\n'.repeat(30)}`],
  ['check_failed', 'ERROR app_test.py - ValueError\n=== 1 error in 0.20s ==='],
  ['check_failed', '=== tests finished: 4 passed, 2 exceptions, in 1.2 seconds ==='],
];

describe('a shell output that states a failure', () => {
  const cases = SHELL_FAILURES.map(([type, output, command]) => ({ type, output, command }));

  test.each(cases)('is classified as $type: $output', ({ type, output, command }) => {
    expect(classify(ran(output, command))).toMatchObject({ status: 'failure', type });
  });
});

describe('a shell output that only contains such words', () => {
  test.each([
    ['source', 'import sys\nraise NotReady("warm up first")'],
    ['a stack trace in a document', `# Crash\n\n${FRAME}\nThe fix is in 2.1.`],
    ['an error before other output', '/bin/sh: 1: pkill: not found\nserver started'],
    ['a listing', 'error.log\nnot found.txt\ntimeout'],
    ['a diff', '@@ -1,2 +1,2 @@\n name\n-bash: jq: command not found?\n+done'],
    ['a removed line of a diff', ' a: 1\n-timeout: cannot be negative'],
    ['a file behind a path', 'lib/db.ts: cannot connect'],
    ['a search that skips a folder', './a.txt\nfind: ./private: Permission denied'],
    ['green tests', '=== 4 passed, 0 errors in 0.2s ==='],
    ['a perfect score', 'Your code has been rated at 10.00/10 (previous run: 9.00/10, +1.00)'],
    ['a crash in a sentence', 'The daemon was Aborted (core dumped) last week.'],
    ['a list of marks', '✓ accepts a token\n✗ means that a case failed'],
    ['advice of git', 'On branch main\nhint: run git add'],
  ])('is not a failure: %s', (_what, output) => {
    expect(classify(ran(output)).status).toBe('unknown');
  });

  test.each([
    ['the file that it shows', 'bash: jq: command not found', 'cat notes.txt'],
    ['the log that it searches', 'db: connection refused', 'grep refused app.log'],
    ['another program than those that ran', 'ok\ndb: connection refused', './report.sh'],
  ])('is not a failure if the complaint comes from %s', (_what, output, command) => {
    expect(classify(ran(output, command)).status).toBe('unknown');
  });
});

describe('a command that ran out of time', () => {
  const killed = (command: string): string =>
    `The last command <command>${command}</command> timed out and has been killed.\nThe output of the command was:\n <output>\nok\n</output>`;

  test.each(['make all', `python3 - <<'EOF'\n${'work()\n'.repeat(400)}EOF`])(
    'is a timeout however long the command is',
    (command) => {
      expect(classify(ran(killed(command)))).toMatchObject({ status: 'failure', type: 'timeout' });
    },
  );

  test.each([
    `Command 'for i in 1 2; do\n  echo "$i"\n${'  work it\n'.repeat(99)}done' timed out after 30 seconds`,
    `subprocess.TimeoutExpired: Command '['sh', '-c', '${'x'.repeat(500)}']' timed out after 5.0 seconds`,
    `The command '${'make '.repeat(99)}' was cancelled because it took more than 30 seconds. Don't wait.`,
  ])('is a timeout in the words of other hosts: %s', (output) => {
    expect(classify(ran(output))).toMatchObject({ status: 'failure', type: 'timeout' });
  });

  test('is another failure than that of another command', () => {
    const [one, other] = ['make a', 'make b'].map((command) => classify(ran(killed(command))));
    expect(one?.evidence).not.toBe(other?.evidence);
  });

  test.each([
    'The last command <command>make</command> finished.',
    "Command 'make' finished.",
    'A note: the last command <command>make</command> timed out and has been killed.',
  ])('is not read into other texts: %s', (output) => {
    expect(classify(ran(output)).status).toBe('unknown');
  });
});

describe('a record that says how it went', () => {
  test.each([
    ['auth', 'send_note', 'status: False message: User Kim is not logged in'],
    ['not_found', 'get_note', 'status: False message: Note 7 does not exist'],
    ['resource', 'view_notes', 'success: false, error: mailbox is full'],
    ['conflict', 'open_session', 'ok=false reason=Kim is already logged in'],
    [
      'invalid_args',
      'Get_Car',
      '{"api_status": true, "content": "There is a problem with your request."}',
    ],
    ['not_found', 'find_room', '{"status": false, "message": "Room 4 not found"}'],
    ['execution', 'set_rate', '{"message": "Error: rate was not set"}'],
  ] as const)('is a failure (%s) of %s: %s', (type, tool, output) => {
    expect(classify({ tool, output })).toMatchObject({ status: 'failure', type });
  });

  test.each([
    ['read_file', 'status: False'],
    ['read_file', 'status: failed message: disk'],
    ['read_file', 'status: False message: on two lines\nname: x'],
    ['get_lamp', '{"status": false, "name": "hall", "watt": 7}'],
    ['get_lamp', '{"status": false}'],
    ['get_mail', '{"id": 7, "status": false, "message": "See you"}'],
    ['get_mail', '{"content": "There was an errand to run"}'],
    ['book_seat', '{"message": "The requested seat is yours"}'],
    ['open_door', '{"result": "Access to the hall is granted"}'],
    ['get_log', '{"content": "Error: 3 retries", "level": "info"}'],
    ['set_lamp', '{"status": true, "message": "Hall is on"}'],
    ['set_lamp', 'status: True message: No lamp was on'],
    ['bash', 'status: False message: not logged in'],
  ])('is no failure where it is data or good news, of %s: %s', (tool, output) => {
    expect(classify({ tool, output }).status).not.toBe('failure');
  });
});

describe('a stack trace of code that the host ran', () => {
  const stack = (file: string): string =>
    `  File "${file}", line 1\n    call-7 = {}\n    ^\nSyntaxError: cannot assign to expression\n`;

  test.each(['<input>', '<string>', '<stdin>'])('is a failure of any tool, from %s', (file) => {
    expect(classify({ tool: 'get_time', output: stack(file) })).toMatchObject({
      status: 'failure',
      type: 'syntax',
    });
    const whole = `Traceback (most recent call last):\n${stack(file)}`;
    expect(classify({ tool: 'search_notes', output: whole }).type).toBe('syntax');
  });

  test.each([
    ['the stack trace of a file', stack('/srv/app.py')],
    ['text after it', `${stack('<string>')}That was the whole log.`],
    ['text before it', `2026-01-02 crash\n${stack('<string>')}`],
    ['a frame alone', '  File "<input>", line 1\n    x = 1'],
  ])('is content of a reader with %s', (_what, output) => {
    expect(classify({ tool: 'read_file', output }).status).toBe('unknown');
  });
});

describe('an error in a tag', () => {
  const tag = (text: string): string => `<tool_use_error>${text}</tool_use_error>`;

  test.each([
    ['as it is', tag('File does not exist.')],
    ['with a label', `Error: ${tag('File does not exist.')}`],
    ['with space before it', `\n ${tag('File does not exist.')}\n`],
    ['with a reminder after it', `${tag('File does not exist.')}\n<reminder>Be brief.</reminder>`],
    ['without its end', '<tool_use_error>File does not exist.'],
  ])('is read %s', (_what, output) => {
    for (const tool of ['Read', 'Edit', 'Bash'])
      expect(classify({ tool, output })).toMatchObject({
        status: 'failure',
        type: 'not_found',
        evidence: 'File does not exist.',
      });
  });

  test.each([
    ['Read', `The tag ${tag('x')} marks an error.`],
    ['Read', '<error>none</error>'],
    ['Bash', 'grep: <tool_use_error>'],
  ])('is not read into the content of %s: %s', (tool, output) => {
    expect(classify({ tool, output }).status).not.toBe('failure');
  });
});

/** A wrapping of a host must not change the type of a failure. */
describe('the law of wrappings', () => {
  const wrappings: readonly (readonly [string, (output: string) => string])[] = [
    ['a prompt', (output) => `${output}\n(venv) root@3f2a9c:/work# `],
    ['an echo and a prompt', (output) => `me@box:~$ run it\n${output}\nme@box:~$ `],
    ['the end of a line', (output) => `${output}\r\n`],
    ['other output before it', (output) => `compiled 3 files\n${output}`],
  ];
  const ending = SHELL_FAILURES.filter(([, , command]) => command === undefined);

  test.each(wrappings)('%s keeps each failure and its type', (_what, wrap) => {
    for (const [type, output] of ending) {
      expect([output, classify(ran(wrap(output))).type]).toEqual([output, type]);
    }
  });
});
