import { describe, expect, test } from 'vitest';
import type { FailureParent } from '../classification.ts';
import { classify } from './classify.ts';

/** Each word the first version of these rules looked for, on a line that is an error. */
const WORDS: readonly (readonly [FailureParent, string])[] = [
  ['timeout', 'error: gateway timeout while asking the index'],
  ['timeout', 'error: the request timed out'],
  ['timeout', 'error: time out on channel 3'],
  ['timeout', 'error: context deadline exceeded'],
  ['timeout', 'error: connection to 10.2.0.7 was reset'],
  ['timeout', 'error: connection reset by peer'],
  ['not_found', 'error: the branch was not found'],
  ['not_found', 'cat: notes.txt: No such file or directory'],
  ['not_found', 'error: the index does not exist'],
  ['not_found', 'curl: (22) The requested URL returned error: 404'],
  ['not_found', 'bash: line 4: fdfind: command not found'],
  ['not_found', 'error: unknown tool "serch"'],
  ['permission', 'rm: cannot remove `/srv/x`: Permission denied'],
  ['permission', 'error: access denied'],
  ['permission', 'error: forbidden'],
  ['permission', 'error: the server answered with status 403'],
  ['permission', 'error: unauthorized'],
  ['permission', 'error: the server answered with status 401'],
  ['syntax', 'bash: -c: line 2: syntax error: unexpected end of file'],
  ['syntax', 'ls: invalid argument `x` for `--sort`'],
  ['syntax', 'error: unexpected token at 4:1'],
  ['syntax', 'error: parse error near line 3'],
  ['syntax', 'error: malformed header'],
  ['syntax', 'error: missing required option --to'],
  ['network', 'error: connection refused'],
  ['network', 'connect: network unreachable'],
  ['network', 'error: DNS lookup of db.internal came back empty'],
  ['network', 'Error: connect ECONNREFUSED 127.0.0.1:5432'],
  ['network', 'error: could not resolve host'],
  ['resource', 'error: out of memory'],
  ['resource', 'error: disk full'],
  ['resource', 'cp: error writing `a.iso`: No space left on device'],
  ['resource', 'error: quota exceeded for this project'],
  ['resource', 'error: resource exhausted'],
  ['dependency', 'error: no module named yaml'],
  ['dependency', 'error: import error in plugin'],
  ['dependency', "ModuleNotFoundError: No module named 'yaml'"],
  ['dependency', 'error: package libfoo is not installed'],
  ['execution', 'error: that did not work'],
  ['execution', 'exception: that did not work'],
  ['execution', 'the build failed'],
  [
    'execution',
    'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 3',
  ],
];

describe('error lines with the words of old', () => {
  test.each(WORDS)('are %s: %s', (parent, output) => {
    expect(classify({ tool: 'bash', output, exitCode: 1 })).toMatchObject({
      status: 'failure',
      parent,
    });
    expect(classify({ tool: 'run_task', output, isError: true })).toMatchObject({ parent });
  });
});

/** Lines that fit two neighbours in the order of parents: the first one counts. */
const PAIRS: readonly (readonly [FailureParent, FailureParent, string])[] = [
  ['timeout', 'not_found', 'error: timed out, replica not found'],
  ['not_found', 'permission', 'error: file not found or permission denied'],
  ['permission', 'syntax', 'error: permission denied by malformed rule'],
  ['syntax', 'network', 'error: malformed answer, connection refused'],
  ['network', 'resource', 'error: connection refused, out of memory'],
  ['resource', 'dependency', 'error: out of memory, no module named torch'],
  ['dependency', 'execution', 'error: build failed with an exception, no module named torch'],
];

describe('a line that fits two types', () => {
  test.each(PAIRS)('is %s before %s', (first, second, output) => {
    const [one, other] = [
      output,
      output
        .split(/, | or | by |answer/)
        .reverse()
        .join(', '),
    ];
    expect(classify({ tool: 'bash', output: one, exitCode: 1 }).parent).toBe(first);
    expect(classify({ tool: 'bash', output: `error: ${other}`, exitCode: 1 }).parent).toBe(first);
    expect(first).not.toBe(second);
  });
});
