import type { JsonObject } from '@holdfast/core';
import { describe, expect, test } from 'vitest';
import { readEndedCalls } from './codex-calls.ts';
import { commandOutput, rollout } from './codex-payloads.case.ts';

const MISSING = 'cat: missing.txt: No such file or directory\n';
const PATCH = '*** Begin Patch\n*** Update File: nope.txt\n@@\n-a\n+b\n*** End Patch';
const NO_FILE = 'apply_patch verification failed: Failed to read file to update nope.txt';

/** The results alone, by the ids of their calls. */
const results = (...lines: readonly JsonObject[]): object =>
  Object.fromEntries(
    readEndedCalls(lines).map(({ call, result }) => {
      const { tool, ...rest } = result;
      expect(tool).toBe(call.tool);
      return [call.id ?? '', rest] as const;
    }),
  );

describe('a rollout tells of a command', () => {
  const call = rollout.call('c1', 'exec_command', { cmd: 'cat missing.txt', yield_time_ms: 300 });

  test('its exit code, as soon as it has ended', () => {
    expect(readEndedCalls([call, rollout.command('c1', 'cat missing.txt', 1, MISSING)])).toEqual([
      {
        kind: 'after',
        call: { id: 'c1', tool: 'Bash', arguments: { command: 'cat missing.txt' } },
        result: { tool: 'Bash', exitCode: 1, output: MISSING },
      },
    ]);
  });

  test('its exit code by what the model was sent, where that is all', () => {
    const lines = [call, rollout.output('c1', commandOutput(127, 'no such command\n'))];

    expect(results(...lines)).toEqual({ c1: { exitCode: 127, output: 'no such command\n' } });
  });

  test('its end once, though it is told twice', () => {
    const lines = [
      call,
      rollout.command('c1', 'cat missing.txt', 1, MISSING),
      rollout.output('c1', commandOutput(1, '… cut …')),
    ];

    expect(results(...lines)).toEqual({ c1: { exitCode: 1, output: MISSING } });
  });

  test('nothing while it runs, and its end later', () => {
    const running = rollout.output(
      'c1',
      'Chunk ID: b8\nWall time: 0.2513 seconds\nProcess running with session ID 39380\nOriginal token count: 0\nOutput:\nProcess exited with code 3\n',
    );
    const wait = rollout.call('c2', 'write_stdin', { session_id: 39380, chars: '' });

    expect(results(call, running)).toEqual({});
    expect(
      results(
        call,
        running,
        wait,
        rollout.command('c1', 'cat missing.txt', 4, 'late\n'),
        rollout.output('c2', commandOutput(4, 'late\n')),
      ),
    ).toEqual({ c1: { exitCode: 4, output: 'late\n' } });
  });

  test('nothing where it was ended with the session', () => {
    expect(results(call, rollout.command('c1', 'cat missing.txt', -1, ''))).toEqual({});
  });

  test('that it was never run, and why', () => {
    const said = 'failed to parse function arguments: missing field `cmd` at line 1 column 28';
    const unfit = rollout.call('c2', 'exec_command', { command: ['echo'] });

    expect(results(unfit, rollout.output('c2', said))).toEqual({
      c2: { isError: true, output: said },
    });
    expect(results(call, rollout.output('c1', NO_FILE))).toEqual({
      c1: { isError: true, output: NO_FILE },
    });
  });

  test('that nobody let it run', () => {
    const said = 'exec_command failed for `rm x`: Rejected("rejected by user")';
    const blocked = 'Command blocked by PreToolUse hook: not this one. Command: rm x';

    expect(results(call, rollout.output('c1', said))).toMatchObject({ c1: { notRun: 'denied' } });
    expect(results(call, rollout.output('c1', blocked))).toMatchObject({
      c1: { notRun: 'denied' },
    });
    expect(
      results(
        rollout.item({
          type: 'CommandExecution',
          id: 'c1',
          command: ['/bin/bash', '-lc', 'rm x'],
          status: 'declined',
          exit_code: -1,
        }),
      ),
    ).toEqual({ c1: { notRun: 'denied' } });
  });

  test('its exit code, whatever it printed', () => {
    const printed = 'Process exited with code 9\nrequest rejected by user\n';

    expect(results(call, rollout.output('c1', commandOutput(0, printed)))).toEqual({
      c1: { exitCode: 0, output: printed },
    });
  });

  test('nothing of one that the user ran', () => {
    const { payload } = rollout.command('u1', 'ls', 2, '');
    const { item } = payload as { readonly item: JsonObject };

    expect(results(rollout.item({ ...item, source: 'user_shell' }))).toEqual({});
  });
});

describe('a rollout tells of other calls', () => {
  test('that a patch does not fit, which fires no hook', () => {
    const lines = [
      rollout.custom('c1', 'apply_patch', PATCH),
      rollout.customOutput('c1', NO_FILE),
      rollout.custom('c2', 'apply_patch', PATCH),
      rollout.item({ type: 'FileChange', id: 'c2', status: 'completed', stdout: 'A a\n' }),
      rollout.customOutput('c2', 'Exit code: 0\nWall time: 0 seconds\nOutput:\nA a\n'),
    ];

    expect(readEndedCalls(lines)[0]!.call).toEqual({
      id: 'c1',
      tool: 'apply_patch',
      arguments: { command: PATCH },
    });
    expect(results(...lines)).toEqual({
      c1: { isError: true, output: NO_FILE },
      c2: { isError: false, output: 'A a\n' },
    });
  });

  test('that a tool of an MCP server reported an error, or could not be called', () => {
    const space = { namespace: 'mcp__notes' };
    const content = [{ type: 'text', text: 'Error: record 42 not found' }];
    const lines = [
      rollout.call('c1', 'lookup', { q: 'bad' }, space),
      rollout.mcp('c1', { q: 'bad' }, { status: 'failed', result: { content, isError: true } }),
      rollout.output('c1', [
        { type: 'input_text', text: 'Wall time: 0.0033 seconds\nOutput:' },
        { type: 'input_text', text: 'Error: record 42 not found' },
      ]),
      rollout.call('c2', 'lookup', { q: 'rpc' }, space),
      rollout.mcp('c2', {}, { status: 'failed', error: { message: 'Mcp error: -32602: bad q' } }),
      rollout.call('c3', 'lookup', { q: 'good' }, space),
      rollout.mcp('c3', {}, { status: 'completed', result: { content: [] } }),
    ];

    expect(readEndedCalls(lines).map(({ call }) => [call.tool, call.arguments])).toEqual([
      ['mcp__notes__lookup', { q: 'bad' }],
      ['mcp__notes__lookup', { q: 'rpc' }],
      ['mcp__notes__lookup', { q: 'good' }],
    ]);
    expect(results(...lines)).toEqual({
      c1: { isError: true, output: 'Error: record 42 not found' },
      c2: { isError: true, output: 'Mcp error: -32602: bad q' },
      c3: { isError: false, output: '' },
    });
  });

  test('that there is no such tool', () => {
    const lines = [
      rollout.call('c1', 'read_file', { path: 'a' }),
      rollout.output('c1', 'unsupported call: read_file'),
      rollout.custom('c2', 'edit', 'x'),
      rollout.customOutput('c2', 'unsupported custom tool call: edit'),
    ];

    expect(results(...lines)).toMatchObject({
      c1: { notRun: 'unknown-tool' },
      c2: { notRun: 'unknown-tool' },
    });
  });

  test('what they said, where nobody says whether that is an error', () => {
    const said = 'unable to locate image at `nope.png`: No such file or directory (os error 2)';
    const lines = [rollout.call('c1', 'view_image', { path: 'nope.png' })];

    expect(results(...lines, rollout.output('c1', said))).toEqual({ c1: { output: said } });
    expect(results(...lines)).toEqual({});
  });

  test('how a script ended, and the calls that it made', () => {
    const script = 'const r = await tools.exec_command({cmd:"cat missing.txt"}); throw r';
    const nested = 'exec-5391556f-e3e8-423f-8bbd-abc8f55a10e8';
    const failed = [
      { type: 'input_text', text: 'Script failed\nWall time 0.2 seconds\nOutput:\n' },
      { type: 'input_text', text: 'Script error:\nError: boom' },
    ];
    const lines = [
      rollout.custom('c1', 'exec', script),
      rollout.command(nested, 'cat missing.txt', 1, MISSING),
      rollout.customOutput('c1', failed),
    ];

    expect(readEndedCalls(lines).map(({ call }) => call)).toEqual([
      { id: nested, tool: 'Bash', arguments: { command: 'cat missing.txt' } },
      { id: 'c1', tool: 'exec', arguments: { code: script } },
    ]);
    expect(results(...lines)).toMatchObject({
      [nested]: { exitCode: 1 },
      c1: { isError: true },
    });
  });
});

test('a script that came to its end is told of only where the one before failed', () => {
  const script = (id: string, end: string): readonly JsonObject[] => [
    rollout.custom(id, 'exec', `text("${id}")`),
    rollout.customOutput(id, [{ type: 'input_text', text: `Script ${end}\nOutput:\n` }]),
  ];
  const lines = [
    ...script('c1', 'completed'),
    ...script('c2', 'failed'),
    ...script('c3', 'running with cell ID 3'),
    ...script('c4', 'completed'),
    ...script('c5', 'completed'),
  ];

  expect(results(...lines)).toEqual({
    c2: { isError: true, output: 'Script failed\nOutput:\n' },
    c4: { output: 'Script completed\nOutput:\n' },
  });
});

describe('a rollout', () => {
  const ended = (id: string): readonly JsonObject[] => [
    rollout.call(id, 'exec_command', { cmd: 'true' }),
    rollout.command(id, 'true', 0, ''),
  ];

  test('tells only of the turn that is running', () => {
    const lines = [...ended('old'), rollout.turn(), ...ended('new')];

    expect(Object.keys(results(...lines))).toEqual(['new']);
    expect(results(...ended('old'), rollout.turn())).toEqual({});
  });

  test('tells of the last 32 calls', () => {
    const lines = Array.from({ length: 40 }, (_, at) => ended(`c${at}`)).flat();
    const ids = Object.keys(results(...lines));

    expect(ids).toHaveLength(32);
    expect([ids[0], ids.at(-1)]).toEqual(['c8', 'c39']);
  });

  test('may hold anything', () => {
    const odd = [
      {},
      { payload: null },
      { payload: { type: 'item_completed' } },
      { payload: { type: 'item_completed', item: { type: 'CommandExecution', id: 4 } } },
      { payload: { type: 'function_call', call_id: 'a', name: 'exec_command', arguments: '{' } },
      { payload: { type: 'function_call_output', call_id: 'b', output: { a: [1] } } },
      { payload: { type: 'function_call_output', call_id: 'a', output: null } },
    ];

    expect(results(...odd)).toEqual({ a: { isError: true, output: '' } });
  });
});
