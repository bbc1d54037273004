import { describe, expect, test } from 'vitest';
import type { FailureType, ToolResult } from '../classification.ts';
import { classify } from './classify.ts';

const bash = (output: string, exitCode?: number): ToolResult => ({
  tool: 'bash',
  output,
  ...(exitCode !== undefined && { exitCode }),
});

describe('what only speaks of errors is no failure', () => {
  const outputs: readonly (readonly [string, string])[] = [
    ['a log', '10:01 INFO start\n10:02 ERROR payment service: connection refused\n10:03 INFO done'],
    [
      'search hits',
      'src/net.ts:14: throw new Error("timed out")\nsrc/net.ts:31: // permission denied',
    ],
    ['source', 'def load():\n    raise FileNotFoundError("no such file")\n'],
    [
      'names of tests',
      'ok 1 - rejects a missing token with 401\nok 2 - fails on timeout\n# pass 2\n# fail 0',
    ],
    ['a listing', 'error.log  failed_jobs  timeouts.csv  404.html'],
    ['a table', 'NAME   STATUS             RESTARTS\nweb-0  CrashLoopBackOff   404'],
    ['zero counts', 'Errors: 0\nFailures: 0'],
    ['zero in words', 'no errors, no failures, 0 timeouts'],
    ['a figure', 'Error: 0.031'],
    ['a size', 'added 404 packages, and audited 403 packages in 4s'],
    ['a port', 'listening on :4010 (pid 4031)'],
    ['a commit', '401abce fix: answer 403 instead of 500'],
    ['a warning', 'WARNING: running as root may break permissions\ninstalled'],
    [
      'noise, then the result',
      "ERROR: ld.so: object 'x.so' cannot be preloaded: ignored.\n/home/me",
    ],
    ['retries that recover', 'retrying (1/3): connection reset by peer\nuploaded 3 files'],
    ['a path that was only tried', "ls: cannot access 'old/': No such file or directory\nnew/"],
    [
      'subjects of commits',
      'fix: could not log in after the session timed out\nfeat: failed jobs are shown',
    ],
    ['fields of a record', 'status: failed\nmessage: connection refused'],
    ['source with error labels', '  error: string;\n  fatal: boolean;'],
    ['expected failures', '14 passed, 2 xfailed in 0.9s'],
  ];

  test.each(outputs)('%s, with exit code 0', (_what, output) => {
    expect(classify(bash(output, 0)).status).toBe('success');
  });

  test.each(outputs)('%s, where nothing says how it went', (_what, output) => {
    expect(classify(bash(output)).status).toBe('unknown');
  });

  test.each(outputs)('%s, from a tool that reads', (_what, output) => {
    expect(classify({ tool: 'read_file', output, isError: false }).status).toBe('success');
    expect(classify({ tool: 'read_file', output }).status).toBe('unknown');
  });

  test('a file that begins with an error is content', () => {
    const output = 'Error: connect ECONNREFUSED 10.0.0.1:80\n    at TCPConnectWrap\n'.repeat(3);
    expect(classify({ tool: 'read_file', output }).status).toBe('unknown');
    const shown = {
      ...bash('fatal: not a git repository'),
      arguments: { command: 'cat notes.txt' },
    };
    expect(classify(shown).status).toBe('unknown');
    expect(classify({ ...shown, exitCode: 0 }).status).toBe('success');
  });

  test('the complaint of the command that reads is one', () => {
    const shown = {
      ...bash('cat: notes.txt: No such file or directory'),
      arguments: { command: 'cat notes.txt' },
    };
    expect(classify(shown)).toMatchObject({
      status: 'failure',
      type: 'not_found',
      confidence: 0.6,
    });
  });
});

describe('text alone', () => {
  test.each([
    [
      'network',
      'node:events:502\n      throw er;\n      ^\n\nError: connect ECONNREFUSED ::1:80\n    at a (b.js:1:2)\n\nNode.js v22.1.0',
    ],
    [
      'not_found',
      "fatal: bad revision 'main..x'\nUse '--' to tell paths from revisions:\n'git log -- file'",
    ],
    ['syntax', "bash: -c: line 1: syntax error near unexpected token `fi'\nbash: -c: line 1: `fi'"],
    [
      'invalid_args',
      "cp: missing destination file operand after 'a'\nTry 'cp --help' for more information.",
    ],
    [
      'dependency',
      'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nImportError: cannot import name x',
    ],
    ['execution', 'compiling\nlinking\nmake: *** [Makefile:3: all] Error 2'],
  ])('that begins or ends as programs do when they die is a failure: %s', (type, output) => {
    expect(classify(bash(output))).toMatchObject({ status: 'failure', type });
  });

  test('never speaks of more than it is sure of', () => {
    const { confidence } = classify(bash('cat: a: No such file or directory'));
    expect(confidence).toBeLessThan(0.9);
  });
});

describe('the first word that fits is not the error', () => {
  const cases: readonly (readonly [FailureType, string])[] = [
    ['network', 'Error: getaddrinfo ENOTFOUND registry.example'],
    [
      'network',
      "urllib3.exceptions.MaxRetryError: Max retries exceeded (Caused by NameResolutionError('x'))",
    ],
    ['rate_limit', 'error: HTTP 403: API rate limit exceeded for user 17'],
    [
      'resource',
      "openai error: {'code': 'insufficient_quota', 'message': 'You exceeded your current quota'}",
    ],
    [
      'dependency',
      'tool: error while loading shared libraries: libz.so.1: cannot open shared object file: No such file or directory',
    ],
    ['auth', 'Unable to locate credentials'],
    ['execution', "TypeError: get() got multiple values for argument 'timeout'"],
    ['check_failed', 'E   assert 401 == 200\n=== 1 failed, 3 passed in 0.2s ==='],
    ['check_failed', 'test connection refused banner\n  Assertion failed\n12 tests, 1 failure'],
    ['conflict', "mkdir: cannot create directory 'out': File exists"],
    ['permission', "touch: cannot touch '/etc/x': Read-only file system"],
    ['not_found', 'error: no tests were timed: table not found'],
  ];

  test.each(cases)('%s: %s', (type, output) => {
    expect(classify(bash(output, 1))).toMatchObject({ status: 'failure', type });
  });

  test('long output of a check is not searched for words', () => {
    const apps = '[:crypto, :public_key, :ssl, :timeout_server, :not_found]';
    const output = `[DIALYZER]\nChecking\n${apps}\n${'lib/a.ex:1: no_return\n'.repeat(20)}done (warnings were emitted)`;
    expect(classify(bash(output, 2))).toMatchObject({ status: 'failure', parent: 'execution' });
  });
});

describe('silent failures', () => {
  test.each([
    [124, 'timeout'],
    [126, 'permission'],
    [127, 'not_found'],
    [137, 'resource'],
    [64, 'invalid_args'],
    [139, 'execution'],
    [3, 'execution'],
  ] as const)('exit code %i without a word is %s', (exitCode, type) => {
    expect(classify(bash('', exitCode))).toMatchObject({ status: 'failure', type, evidence: '' });
  });

  test('a code hidden by a pipe shows in an output that is nothing but an error', () => {
    const one = classify(bash('fatal: not a git repository (or any parent): .git\n', 0));
    expect(one).toMatchObject({ status: 'failure', type: 'not_found', confidence: 0.6 });
    const two = classify(
      bash('Traceback (most recent call last):\n  File "a.py", line 3\n    f()\nValueError: 3', 0),
    );
    expect(two).toMatchObject({ status: 'failure', type: 'execution', confidence: 0.6 });
    const three = classify(bash('…\n3 failed, 12 passed in 2.0s', 0));
    expect(three).toMatchObject({ status: 'failure', type: 'check_failed', confidence: 0.6 });
  });

  test.each([
    ['{"ok":false,"error":"channel_not_found"}', 'not_found'],
    ['{"errors":[{"message":"nope","extensions":{"code":"UNAUTHENTICATED"}}]}', 'auth'],
    ['{"success":false,"error":{"code":"VALIDATION_ERROR"}}', 'invalid_args'],
    ['{"errcode":45009,"errmsg":"reach max api daily quota limit"}', 'execution'],
    ['{"status":503,"title":"Down for repairs"}', 'server_error'],
    ['{"detail":"Not authenticated"}', 'auth'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}', 'invalid_args'],
  ] as const)('an answer can say so with HTTP 200: %s', (output, type) => {
    expect(classify({ tool: 'http_request', output, isError: false, status: 200 })).toMatchObject({
      status: 'failure',
      type,
    });
  });

  test.each([
    '{"ok":true,"error":null}',
    '{"errors":[],"data":{"status":404}}',
    '{"errcode":0,"errmsg":"ok"}',
    '{"code":0,"message":"success"}',
    '{"failed":0,"succeeded":5}',
    '{"results":[{"id":1,"error":"gone"}]}',
    '{"state":"FAILED","log":"exit code 1"}',
    '[{"error":"a list of errors"}]',
  ])('values count, keys do not: %s', (output) => {
    expect(classify({ tool: 'http_request', output, isError: false }).status).toBe('success');
    expect(classify({ tool: 'http_request', output }).status).not.toBe('failure');
  });

  test('JSON that a command or a file shows is data', () => {
    const output = '{"ok":false,"error":"boom"}';
    expect(classify(bash(output, 0)).status).toBe('success');
    expect(classify({ tool: 'read_file', output, isError: false }).status).toBe('success');
  });
});

describe('exit codes that are answers', () => {
  const ran = (command: string, exitCode: number, output = ''): ToolResult => ({
    ...bash(output, exitCode),
    arguments: { command },
  });

  test.each([
    ['grep -rn needle src', 1],
    ['cd src && /usr/bin/grep -q x y', 1],
    ['grep -q x y && echo yes', 1],
    ['diff a b', 1],
    ['git diff --exit-code', 1],
    ['test -f x', 1],
    ['[ -f x ]', 1],
    ['which rg', 1],
    ['rg "a|b; c" .', 1],
  ])('%s → %i is no failure', (command, exitCode) => {
    expect(classify(ran(command, exitCode)).status).toBe('success');
  });

  test.each([
    ['grep x missing.txt', 2],
    ['make', 1],
    ['grep -q x y && make', 1],
    ['git push', 1],
  ])('%s → %i is one', (command, exitCode) => {
    expect(classify(ran(command, exitCode)).status).toBe('failure');
  });

  test('without the command, the output may show it', () => {
    expect(classify(bash('3c3\n< old\n---\n> new', 1)).status).toBe('success');
    expect(classify(bash('M\tsrc/a.ts\nA\tsrc/b.ts', 1)).status).toBe('success');
    expect(classify(bash('nothing to commit, working tree clean', 1)).status).toBe('success');
    expect(classify(bash("find: '/root': Permission denied\n/srv/a.yml", 1)).status).toBe(
      'success',
    );
    expect(classify(bash("find: '/root': Permission denied", 1)).status).toBe('failure');
    expect(classify(bash('', 1)).status).toBe('unknown');
  });

  test('a reader that stops reading is no failure of the writer', () => {
    expect(classify(bash('line', 141)).status).toBe('success');
  });
});

describe('red checks', () => {
  test.each([
    'Tests:       1 failed, 8 passed, 9 total',
    '=== 2 failed, 7 passed in 3.1s ===',
    'FAILED (failures=1)',
    '--- FAIL: TestLoad (0.00s)\nFAIL\nexit status 1',
    'test result: FAILED. 3 passed; 1 failed; 0 ignored',
    '9 examples, 1 failure',
    '  11 passing (40ms)\n  1 failing',
    'Tests run: 4, Failures: 1, Errors: 0, Skipped: 0',
    "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    'error[E0382]: borrow of moved value\nerror: could not compile `app`',
    '✖ 3 problems (3 errors, 0 warnings)',
    'Found 2 errors in 1 file (checked 9 source files)',
    'main.c:4:9: error: expected expression',
    '2 files would be reformatted, 3 files would be left unchanged.',
    '[warn] Code style issues found in 2 files. Run Prettier to fix.',
    'Pre-commit check failed: code is not formatted',
  ])('are check_failed: %s', (output) => {
    expect(classify(bash(output, 1))).toMatchObject({ type: 'check_failed', parent: 'execution' });
  });

  test('are green when they count none', () => {
    expect(classify(bash('0 failed, 12 passed in 1.0s', 0)).status).toBe('success');
    expect(classify(bash('12 tests, 0 failures', 0)).status).toBe('success');
  });
});
