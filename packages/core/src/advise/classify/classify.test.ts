import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../../errors.ts';
import { FAILURE_TYPES } from '../../internal/failure-types.ts';
import type { ToolResult } from '../classification.ts';
import { classify } from './classify.ts';

describe('the order of signals', () => {
  test('a call that did not run is neutral, whatever else is said', () => {
    const said = { tool: 'bash', output: 'error: timed out', isError: true, exitCode: 1 };
    expect(classify({ ...said, notRun: 'denied' })).toMatchObject({
      status: 'neutral',
      type: 'denied',
    });
    expect(classify({ ...said, notRun: 'cancelled' })).toMatchObject({
      status: 'neutral',
      type: 'cancelled',
      parent: undefined,
    });
  });

  test('a tool that does not exist is a failure of the call', () => {
    expect(classify({ tool: 'serch', notRun: 'unknown-tool' })).toMatchObject({
      status: 'failure',
      type: 'unknown_tool',
      parent: 'not_found',
    });
  });

  test('the flag counts before the exit code, the exit code before the text', () => {
    expect(classify({ tool: 'bash', output: 'done', isError: true, exitCode: 0 }).status).toBe(
      'failure',
    );
    expect(classify({ tool: 'bash', output: 'done', isError: false, exitCode: 2 }).status).toBe(
      'failure',
    );
    expect(classify({ tool: 'task', output: 'see fatal: nothing', isError: false }).status).toBe(
      'success',
    );
  });

  test('a class of failure decides the type, and the text makes it finer', () => {
    const failed = (failureClass: ToolResult['failureClass'], output: string): ToolResult => ({
      tool: 'search',
      output,
      ...(failureClass !== undefined && { failureClass }),
    });
    expect(classify(failed('timeout', 'error: not found')).type).toBe('timeout');
    expect(classify(failed('auth', 'error: token expired')).type).toBe('auth');
    expect(classify(failed('tool-error', 'error: token expired')).type).toBe('auth');
    expect(classify(failed('tool-error', 'no idea')).type).toBe('execution');
    expect(classify(failed('refused', 'circuit open: timed out')).status).toBe('neutral');
  });

  test('what was thrown is read like an error line', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED ::1:80'), { code: 'ECONNREFUSED' });
    expect(classify({ tool: 'search', error })).toMatchObject({
      status: 'failure',
      type: 'network',
      retryable: true,
    });
    expect(classify({ tool: 'search', error: 'no such file: a.txt' }).type).toBe('not_found');
  });

  test('words of the host that nothing was run are neutral, though they come as an error', () => {
    const said = (output: string): ToolResult => ({ tool: 'Bash', output, isError: true });
    expect(classify(said("The user doesn't want to proceed with this tool use.")).type).toBe(
      'denied',
    );
    expect(classify(said('PreToolUse:Bash hook error: [policy]: no')).type).toBe('denied');
    expect(classify(said('<tool_use_error>Sibling tool call errored</tool_use_error>')).type).toBe(
      'cancelled',
    );
    expect(classify(said('[Request interrupted by user for tool use]')).status).toBe('neutral');
  });

  test('a signal or its exit code is a cancellation, unless the time was over', () => {
    expect(classify({ tool: 'bash', output: '', signal: 'SIGTERM' }).type).toBe('cancelled');
    expect(classify({ tool: 'bash', output: '^C', exitCode: 130 }).status).toBe('neutral');
    expect(
      classify({ tool: 'bash', output: 'Command timed out after 2m', exitCode: 143 }).type,
    ).toBe('timeout');
    expect(classify({ tool: 'bash', output: '', signal: 'SIGKILL' }).type).toBe('resource');
  });

  test('nothing said is unknown', () => {
    expect(classify({ tool: 'bash' })).toEqual({
      status: 'unknown',
      type: undefined,
      parent: undefined,
      confidence: 0,
      evidence: '',
      retryable: false,
    });
    expect(classify({ tool: 'bash', output: 'hello' }).status).toBe('unknown');
  });
});

describe('what hosts write around an output', () => {
  test.each([
    ['Exit code 2\nls: cannot access x: No such file or directory', 'not_found'],
    ['Exit code: 1\nWall time: 0.2 seconds\nOutput:\nerror: timed out', 'timeout'],
    [
      'Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 127\nOutput:\nsh: x: not found',
      'not_found',
    ],
    ['Output: error TS1: a\nExit Code: 2\nProcess Group PGID: 9', 'check_failed'],
    [
      'permission denied: x\n[The command completed with exit code 1.]\n[Current working directory: /w]',
      'permission',
    ],
    ['<returncode>1</returncode>\n<output>\nerror: timed out\n</output>', 'timeout'],
    ['exitcode: 1 (execution failed)\nCode output: \nerror: out of memory', 'resource'],
  ])('is read: %s', (output, type) => {
    expect(classify({ tool: 'shell', output })).toMatchObject({ status: 'failure', type });
  });

  test('tells success as well', () => {
    expect(
      classify({ tool: 'shell', output: 'Exit code: 0\nWall time: 1 s\nOutput:\nerror.log' })
        .status,
    ).toBe('success');
  });

  test('is not taken from the middle, from an echo or from a file', () => {
    expect(classify({ tool: 'shell', output: 'a\nExit code 1\nb' }).status).toBe('unknown');
    expect(classify({ tool: 'shell', output: 'done\nExit code: 1' }).status).toBe('unknown');
    expect(classify({ tool: 'read_file', output: 'Exit code 1\nmeans failure' }).status).toBe(
      'unknown',
    );
  });
});

describe('pages and answers', () => {
  test.each([
    ['HTTP/1.1 404 Not Found\n\n', 'not_found'],
    ['HTTP 403\n{"message":"You have exceeded a secondary rate limit"}', 'rate_limit'],
    ['<html><head><title>502 Bad Gateway</title></head></html>', 'server_error'],
    ['Just a moment...\nChecking if the site connection is secure', 'permission'],
  ])('begin with what is wrong: %s', (output, type) => {
    expect(classify({ tool: 'fetch_url', output, isError: false })).toMatchObject({
      status: 'failure',
      type,
    });
  });

  test('of a shell are data', () => {
    expect(classify({ tool: 'bash', output: 'HTTP/2 404\ndate: today', exitCode: 0 }).status).toBe(
      'success',
    );
  });

  test('a page about errors is a page', () => {
    const output =
      '404 errors and how to avoid them: a guide to links that break over the years, with many examples of what goes wrong';
    expect(classify({ tool: 'fetch_url', output, isError: false }).status).toBe('success');
  });

  test('the status of the host counts', () => {
    expect(classify({ tool: 'call_service', output: 'no', status: 429 }).type).toBe('rate_limit');
    expect(classify({ tool: 'call_service', output: 'fine', status: 200 }).status).toBe('success');
  });
});

describe('outputs that wait for someone', () => {
  test.each([
    'Overwrite? [y/N] ',
    "Password for 'https://me@example.com': ",
    '? Ok to go on? (y) ',
    'Press any key to continue . . . ',
  ])('are interactive: %s', (output) => {
    expect(classify({ tool: 'bash', output })).toMatchObject({
      status: 'failure',
      type: 'interactive',
      parent: 'timeout',
    });
  });
});

describe('settings', () => {
  test('say what a tool is', () => {
    const result = { tool: 'lake', output: '{"error":"table is empty"}', isError: false };
    expect(classify(result).status).toBe('failure');
    expect(classify(result, { kind: 'reader' }).status).toBe('success');
  });

  test('say which exit codes are answers', () => {
    const result = {
      tool: 'bash',
      output: 'changed',
      exitCode: 4,
      arguments: { command: 'drift check' },
    };
    expect(classify(result).status).toBe('failure');
    expect(classify(result, { benignExit: { drift: [4] } }).status).toBe('success');
    const grep = { tool: 'bash', output: '', exitCode: 1, arguments: { command: 'grep a b' } };
    expect(classify(grep, { benignExit: { grep: [] } }).status).toBe('failure');
  });

  test('say where a body tells of an error', () => {
    const output = '{"meta":{"fault":{"message":"quota exceeded"}},"error":"ignored"}';
    expect(classify({ tool: 'read_rows', output }, { errorPath: 'meta.fault' })).toMatchObject({
      status: 'failure',
      parent: 'resource',
      evidence: 'quota exceeded',
    });
    expect(classify({ tool: 'read_rows', output }, { errorPath: 'meta.none' }).status).toBe(
      'success',
    );
  });

  test('that cannot be are refused by name', () => {
    const result = { tool: 'x' };
    expect(() => classify(result, { kind: 'robot' as 'api' })).toThrow(InvalidOptionError);
    expect(() => classify(result, { benignExit: { a: ['1'] as unknown as number[] } })).toThrow(
      'settings.benignExit',
    );
    expect(() => classify(result, { colour: 1 } as object)).toThrow('settings.colour');
  });
});

describe('any output at all', () => {
  const results = fc.record(
    {
      tool: fc.constantFrom('bash', 'read_file', 'http_request', 'Edit', 'x'),
      output: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.stringMatching(/^(error|fatal|[{}: \n]){0,40}$/),
      ),
      isError: fc.boolean(),
      exitCode: fc.integer({ min: -1, max: 300 }),
      status: fc.integer({ min: 100, max: 599 }),
    },
    { requiredKeys: ['tool'] },
  );

  test('gets a verdict that agrees with itself', () => {
    fc.assert(
      fc.property(results, (result) => {
        const { status, type, parent, confidence, evidence, retryable } = classify(result);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(evidence.length).toBeLessThanOrEqual(200);
        expect(evidence).not.toMatch(/[\0-\x1f]/);
        if (status === 'failure' || status === 'neutral') {
          expect({ parent, retryable, isNeutral: status === 'neutral' }).toEqual(
            FAILURE_TYPES[type!],
          );
        } else expect([type, parent, evidence]).toEqual([undefined, undefined, '']);
      }),
    );
  });

  test('does not make a failure of what the host calls a success, from a reader', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (output) => {
        expect(classify({ tool: 'read_file', output, isError: false }).status).toBe('success');
      }),
    );
  });

  test('costs little however long it is: only its ends are read', () => {
    const long = `${'x'.repeat(5_000_000)}\nerror: timed out\n${'y\n'.repeat(2_000_000)}`;
    const started = performance.now();
    expect(classify({ tool: 'bash', output: long, exitCode: 1 })).toMatchObject({
      type: 'execution',
    });
    expect(classify({ tool: 'bash', output: `${long}fatal: timed out`, exitCode: 1 }).type).toBe(
      'timeout',
    );
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test.each([
    ['colons', 'a: '.repeat(5000)],
    ['quotes', `error: ${"'".repeat(15_000)}`],
    ['brackets', '['.repeat(15_000)],
    ['digits', '1 failed '.repeat(2000)],
    ['escapes', '\x1b['.repeat(8000)],
    ['dots', `${'a.'.repeat(8000)}Error`],
    ['lines', '\n \r'.repeat(5000)],
  ])('is read in no time, though made to be slow: %s', (_what, output) => {
    const started = performance.now();
    for (const tool of ['bash', 'http_request', 'read_file']) {
      classify({ tool, output });
      classify({ tool, output, isError: true });
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});
