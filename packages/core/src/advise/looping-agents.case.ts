import type { JsonObject } from '../types.ts';
import type { AdviceRule } from './advice.ts';
import type { ToolResult } from './classification.ts';

/** One call of a scripted agent, with what came of it. */
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: Omit<ToolResult, 'tool'>;
}

/** A round is a call or, as a list, calls in parallel; `user` is a message of the user, which is no step. */
export type ScriptedRound = ScriptedCall | readonly ScriptedCall[] | 'user';

/** An agent, and at which of its rounds, from 1, it has to hear what. */
export interface LoopingAgent {
  readonly name: string;
  readonly rounds: readonly ScriptedRound[];
  readonly hears: Readonly<Record<number, readonly AdviceRule[]>>;
}

const NEVER = {};

function call(tool: string, args: JsonObject, result: Omit<ToolResult, 'tool'>): ScriptedCall {
  return { tool, arguments: args, result };
}

const shell = (command: string, output: string, exitCode = 0): ScriptedCall =>
  call('bash', { command }, { output, exitCode });

const works = (tool: string, args: JsonObject, output: string): ScriptedCall =>
  call(tool, args, { output, isError: false });

const fails = (tool: string, args: JsonObject, output: string): ScriptedCall =>
  call(tool, args, { output, isError: true });

const missing = (path: string): ScriptedCall =>
  shell(`cat ${path}`, `cat: ${path}: No such file or directory`, 1);

const edit = (text: string): ScriptedCall =>
  works('edit_file', { path: 'app.py', new_text: text }, `edited app.py: ${text}`);

const readA = works('read_file', { path: 'a.ts' }, 'export const a = 1;');
const readB = works('read_file', { path: 'b.ts' }, 'export const b = 2;');
const readC = works('read_file', { path: 'c.ts' }, 'export const c = 3;');
const readD = works('read_file', { path: 'd.ts' }, 'export const d = 4;');
const readE = works('read_file', { path: 'e.ts' }, 'export const e = 5;');
const readFails = (path: string): ScriptedCall =>
  fails('read_file', { path }, `Error: ENOENT: no such file or directory, open '${path}'`);

const crash = (line: string, command = 'python app.py'): ScriptedCall =>
  shell(command, `Traceback (most recent call last):\n  File "app.py"\n${line}`, 1);

const redTests = (seconds: string): ScriptedCall =>
  shell(
    'npm test',
    `FAIL src/app.test.ts\n\nTests  1 failed | 3 passed (4)\nDuration  ${seconds}s`,
    1,
  );

const failsAlone = (tool: string): ScriptedCall =>
  fails(tool, { id: tool }, `Error: ${tool} broke down`);
const worksAlone = (number: number): ScriptedCall =>
  works('lookup', { number }, `entry number ${number}`);

const limited = fails('issues', { page: 1 }, 'HTTP 429 Too Many Requests');
const waited = (seconds: number): ScriptedCall => works('wait', { seconds }, `waited ${seconds} s`);

const times = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const laps = (count: number, ...lap: readonly ScriptedRound[]): readonly ScriptedRound[] =>
  times(count, () => lap).flat();

/** Agents that repeat themselves, and agents that only seem to. Written from the rules in docs/loops.md. */
export const LOOPING_AGENTS: readonly LoopingAgent[] = [
  // The same failing call.
  {
    name: 'sends the same failing command again and again',
    rounds: laps(7, missing('/no/such.txt')),
    hears: { 2: ['same-call'], 3: ['same-call'], 5: ['step-back'] },
  },
  {
    name: 'writes the arguments in another order',
    rounds: [
      fails('read_file', { path: 'x', lines: 5 }, 'Error: ENOENT: no such file'),
      fails('read_file', { lines: 5, path: 'x' }, 'Error: ENOENT: no such file'),
    ],
    hears: { 2: ['same-call'] },
  },
  {
    name: 'writes nested arguments in another order',
    rounds: [
      fails('query_api', { filter: { a: 1, b: [1, { c: 2, d: 3 }] } }, 'Error: bad request'),
      fails('query_api', { filter: { b: [1, { d: 3, c: 2 }], a: 1 } }, 'Error: bad request'),
    ],
    hears: { 2: ['same-call'] },
  },
  {
    name: 'gives another explanation each time',
    rounds: times(2, (index) =>
      fails('read_file', { path: 'x', explanation: `try ${index}` }, 'Error: ENOENT: no such file'),
    ),
    hears: { 2: ['same-call'] },
  },
  {
    name: 'describes the same command in other words',
    rounds: times(2, (index) =>
      call(
        'bash',
        { command: 'cat /x', description: `Read it, ${index}` },
        { output: 'cat: /x: No such file or directory', exitCode: 1 },
      ),
    ),
    hears: { 2: ['same-call'] },
  },
  {
    name: 'writes the same command with other spaces and quotes',
    rounds: [
      shell('cat /x', 'cat: /x: No such file or directory', 1),
      shell('  cat   "/x" 2>&1', 'cat: /x: No such file or directory', 1),
    ],
    hears: { 2: ['same-call'] },
  },
  {
    name: 'looks around before it sends the same failing command',
    rounds: [missing('/x'), shell('ls /', 'bin etc usr'), missing('/x')],
    hears: { 3: ['same-call'] },
  },
  {
    name: 'reads with another tool before it sends the same failing call',
    rounds: [readFails('x'), worksAlone(1), worksAlone(2), readFails('x')],
    hears: { 4: ['same-call'] },
  },
  {
    name: 'repeats a call that cannot reach its host',
    rounds: laps(
      6,
      shell('curl http://h:1/', 'curl: (7) Failed to connect: Connection refused', 7),
    ),
    hears: { 2: ['tool-failures'], 3: ['same-call'], 4: ['same-call'], 5: ['step-back'] },
  },
  {
    name: 'writes the same file again before each same failing run',
    rounds: laps(
      3,
      works('write_file', { path: 'app.py', content: 'x' }, 'written'),
      crash('ValueError: x'),
    ),
    hears: { 4: ['same-call'], 6: ['cycle'] },
  },

  // The same error, other calls.
  {
    name: 'starts the same program in other words',
    rounds: [
      crash("ModuleNotFoundError: No module named 'flask'", 'python app.py'),
      crash("ModuleNotFoundError: No module named 'flask'", 'python3 app.py'),
      crash("ModuleNotFoundError: No module named 'flask'", 'python3 ./app.py'),
      crash("ModuleNotFoundError: No module named 'flask'", 'python3 -u app.py'),
      crash("ModuleNotFoundError: No module named 'flask'", '/usr/bin/python3 app.py'),
    ],
    hears: { 2: ['tool-failures'], 3: ['same-error'], 4: ['same-error'], 5: ['step-back'] },
  },
  {
    name: 'starts it in other words and looks at files in between',
    rounds: [
      crash("ModuleNotFoundError: No module named 'flask'", 'python app.py'),
      shell('cat app.py', 'import flask'),
      crash("ModuleNotFoundError: No module named 'flask'", 'python3 app.py'),
      shell('cat setup.py', 'from setuptools import setup'),
      crash("ModuleNotFoundError: No module named 'flask'", 'python3 ./app.py'),
    ],
    hears: { 5: ['same-error'] },
  },
  {
    name: 'guesses at the text it wants to replace',
    rounds: times(4, (index) =>
      fails(
        'edit_file',
        { path: 'a', old_text: `guess ${index}` },
        'Error: old_text not found in file',
      ),
    ),
    hears: { 2: ['tool-failures'], 3: ['same-error'], 4: ['same-error'] },
  },
  {
    name: 'runs into one different error after the other',
    rounds: [missing('/a'), missing('/b'), missing('/c')],
    hears: { 2: ['tool-failures'], 3: ['tool-failures'] },
  },

  // No progress, whatever the result means.
  {
    name: 'asks the same and gets the same',
    rounds: laps(7, works('search', { q: 'holdfast' }, '3 hits: a, b, c')),
    hears: { 3: ['no-progress'], 4: ['no-progress'] },
  },
  {
    name: 'gets the same under another time stamp',
    rounds: times(3, (index) =>
      works('get_report', { id: 7 }, `made at 2026-11-16T06:4${index}:0${index}.12Z: 3 items`),
    ),
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'gets the same with other durations, processes and request ids',
    rounds: times(3, (index) =>
      works(
        'get_report',
        { id: 7 },
        `pid ${index + 400}, request-id: abcdef${index}, ${index}.5 ms: none`,
      ),
    ),
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'runs the same red tests without changing anything',
    rounds: times(3, (index) => redTests(`1.${index}`)),
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'gets the same from a host that tells nothing of success',
    rounds: times(3, () => call('lookup', { q: 1 }, { output: 'a line of text' })),
    hears: { 3: ['no-progress'] },
  },

  // Cycles.
  {
    name: 'goes back and forth between two files',
    rounds: laps(5, readA, readB),
    hears: { 6: ['cycle'], 8: ['cycle'] },
  },
  { name: 'goes round three files', rounds: laps(3, readA, readB, readC), hears: { 9: ['cycle'] } },
  {
    name: 'goes round four files',
    rounds: laps(3, readA, readB, readC, readD),
    hears: { 12: ['cycle'] },
  },
  {
    name: 'goes round with one file twice in each lap',
    rounds: laps(3, readA, readB, readB),
    hears: { 9: ['cycle'] },
  },
  {
    name: 'begins to go round after other work',
    rounds: [worksAlone(1), edit('1'), ...laps(3, readA, readB)],
    hears: { 8: ['cycle'] },
  },
  {
    name: 'makes a change and takes it back, again and again',
    rounds: laps(6, edit('1'), redTests('1.1'), edit('2'), redTests('1.2')),
    hears: { 12: ['cycle'], 16: ['cycle'] },
  },
  {
    name: 'goes round between two calls that fail',
    rounds: laps(
      3,
      readFails('x'),
      fails('list_dir', { path: 'y' }, 'Error: EACCES: permission denied'),
    ),
    hears: { 3: ['same-call'], 4: ['same-call'], 5: ['same-call', 'step-back'], 6: ['cycle'] },
  },
  {
    name: 'goes round between a poll and a file that does not change',
    rounds: laps(3, works('get_status', { job: 1 }, 'running'), readA),
    hears: { 6: ['cycle'] },
  },

  // Tools that do not exist.
  {
    name: 'calls a tool that does not exist',
    rounds: laps(5, call('reed_file', { path: 'a' }, { notRun: 'unknown-tool' })),
    hears: { 1: ['unknown-tool'], 2: ['unknown-tool'], 5: ['step-back'] },
  },
  {
    name: 'makes up one tool after the other',
    rounds: ['web_magic', 'do_it_all', 'solve'].map((tool) =>
      call(tool, {}, { notRun: 'unknown-tool' }),
    ),
    hears: { 1: ['unknown-tool'], 2: ['unknown-tool'], 3: ['unknown-tool'] },
  },

  // Rate limits.
  {
    name: 'waits and is limited again',
    rounds: [limited, waited(30), limited, waited(60), limited],
    hears: { 3: ['tool-failures'], 5: ['same-call'] },
  },
  {
    name: 'waits, and then it works',
    rounds: [limited, waited(30), works('issues', { page: 1 }, '12 issues')],
    hears: NEVER,
  },

  // Calls in parallel.
  {
    name: 'sends one failing call three times in one round',
    rounds: [[readFails('x'), readFails('x'), readFails('x')]],
    hears: NEVER,
  },
  {
    name: 'reads five missing files in one round',
    rounds: [['a', 'b', 'c', 'd', 'e'].map(readFails)],
    hears: NEVER,
  },
  {
    name: 'sends the same failing round again',
    rounds: laps(2, [readFails('x'), readFails('y')]),
    hears: { 2: ['same-call'] },
  },
  {
    name: 'reads the same two files in three rounds',
    rounds: laps(3, [readA, readB]),
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'reads them in another order each time',
    rounds: [
      [readA, readB, readC],
      [readC, readA, readB],
      [readB, readC, readA],
    ],
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'reads one file again and then another one beside it',
    rounds: [readA, readA, [readA, readB]],
    hears: NEVER,
  },
  {
    name: 'fails and works in one round, twice',
    rounds: [
      [readFails('x'), readA],
      [readFails('y'), readB],
    ],
    hears: NEVER,
  },

  // Many failures.
  {
    name: 'fails in every second call, each time another tool',
    rounds: [0, 1, 2, 3, 4].flatMap((index) => [failsAlone(`tool${index}`), worksAlone(index)]),
    hears: { 9: ['step-back'] },
  },
  {
    name: 'fails much, recovers, and fails much again',
    rounds: [
      ...times(7, (index) => failsAlone(`first${index}`)),
      ...times(3, worksAlone),
      ...times(7, (index) => failsAlone(`second${index}`)),
    ],
    hears: { 5: ['step-back'], 15: ['step-back'] },
  },
  {
    name: 'fails much and does not recover',
    rounds: times(30, (index) => (index % 3 === 2 ? worksAlone(index) : failsAlone(`t${index}`))),
    hears: { 7: ['step-back'] },
  },
  {
    name: 'fails now and then in a long session',
    rounds: times(60, (index) => (index % 3 === 0 ? failsAlone(`t${index}`) : worksAlone(index))),
    hears: NEVER,
  },

  // Not loops.
  {
    name: 'reads a file page by page',
    rounds: times(12, (page) =>
      works('read_file', { path: 'a', offset: page * 100 }, `page ${page}`),
    ),
    hears: NEVER,
  },
  {
    name: 'follows a cursor',
    rounds: times(8, (page) =>
      works('list_issues', { cursor: `c${page}` }, '{"items":[],"more":true}'),
    ),
    hears: NEVER,
  },
  {
    name: 'polls a job',
    rounds: laps(10, works('get_status', { job: 1 }, 'running')),
    hears: NEVER,
  },
  {
    name: 'sleeps and looks at a log',
    rounds: laps(8, shell('sleep 5 && cat build.log', 'building…')),
    hears: NEVER,
  },
  {
    name: 'waits for pods',
    rounds: laps(8, shell('kubectl get pods', 'web-1  0/1  Pending')),
    hears: NEVER,
  },
  {
    name: 'polls and waits in turn',
    rounds: laps(5, works('get_status', { job: 1 }, 'running'), waited(5)),
    hears: NEVER,
  },
  {
    name: 'asks a code tool for more output',
    rounds: laps(
      6,
      call('code_execution_tool', { runtime: 'output' }, { output: 'no output yet' }),
    ),
    hears: NEVER,
  },
  {
    name: 'clicks on through pages',
    rounds: laps(8, works('browser_click', { ref: 'next' }, 'clicked')),
    hears: NEVER,
  },
  {
    name: 'edits and tries again',
    rounds: [1, 2, 3, 4].flatMap((index) => [crash('ValueError: x'), edit(`${index}`)]),
    hears: NEVER,
  },
  {
    name: 'edits with the shell and tries again',
    rounds: [1, 2, 3, 4].flatMap((index) => [
      crash('ValueError: x'),
      shell(`sed -i s/a/${index}/ app.py`, ''),
    ]),
    hears: NEVER,
  },
  {
    name: 'installs what is missing and tries again',
    rounds: [
      crash("ModuleNotFoundError: No module named 'flask'"),
      shell('pip install flask', 'Successfully installed flask-3.1'),
      crash("ModuleNotFoundError: No module named 'jinja2'"),
      shell('pip install jinja2', 'Successfully installed jinja2-3.2'),
      shell('python app.py', 'listening'),
    ],
    hears: NEVER,
  },
  {
    name: 'runs red tests between edits',
    rounds: times(8, (index) => [redTests(`1.${index}`), edit(`${index}`)]).flat(),
    hears: NEVER,
  },
  {
    name: 'makes a change while going round',
    rounds: [...laps(2, readA, readB), edit('1'), ...laps(2, readA, readB)],
    hears: NEVER,
  },
  {
    name: 'gets another result each time',
    rounds: times(8, (index) => works('search', { q: 'x' }, `${index + 3} hits`)),
    hears: NEVER,
  },
  {
    name: 'reads five files in turn',
    rounds: laps(3, readA, readB, readC, readD, readE),
    hears: NEVER,
  },
  {
    name: 'searches for what is not there, in other words',
    rounds: ['one', 'two', 'three', 'four'].map((word) => shell(`grep -r ${word} src`, '', 1)),
    hears: NEVER,
  },
  {
    name: 'is not allowed to run a call',
    rounds: laps(6, call('bash', { command: 'rm x' }, { notRun: 'denied' })),
    hears: NEVER,
  },
  {
    name: 'has its calls taken back',
    rounds: laps(6, call('bash', { command: 'sleep 9' }, { notRun: 'cancelled' })),
    hears: NEVER,
  },
  {
    name: 'hears nothing of success between failures',
    rounds: ['a', 'b', 'c'].flatMap((path) => [
      readFails(path),
      call('read_file', { path: `${path}2` }, { output: 'some text' }),
    ]),
    hears: NEVER,
  },

  {
    name: 'creates the same record again and again, each with a new id',
    rounds: [7, 8, 9].map((id) => works('add_note', { text: 'call Kim' }, `{"id": ${id}}`)),
    hears: { 3: ['no-progress'] },
  },
  {
    name: 'creates different records',
    rounds: ['a', 'b', 'c'].map((text, id) => works('add_note', { text }, `{"id": ${id}}`)),
    hears: NEVER,
  },
  {
    name: 'reads records that come with other ids',
    rounds: [7, 8, 9].map((id) => works('get_newest_note', {}, `{"id": ${id}}`)),
    hears: NEVER,
  },
  {
    name: 'sets a status with an argument that is always wrong',
    rounds: laps(5, fails('update_job_status', { at: '25:00' }, 'Error: invalid time')),
    hears: { 2: ['tool-failures'], 3: ['tool-failures'], 5: ['same-call', 'step-back'] },
  },
  {
    name: 'polls a server that is not up yet',
    rounds: laps(9, fails('get_job_status', { id: 1 }, 'Error: connect ECONNREFUSED')),
    hears: { 2: ['tool-failures'], 3: ['tool-failures'], 5: ['step-back'] },
  },

  // The user.
  {
    name: 'is told by the user to try again',
    rounds: [missing('/nonexistent/file/path.txt'), 'user', missing('/nonexistent/file/path.txt')],
    hears: { 2: ['tool-failures'] },
  },
  {
    name: 'is asked for the same by the user each time',
    rounds: laps(5, 'user', works('search', { q: 'news' }, 'nothing new')),
    hears: NEVER,
  },
];
