import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { Advisor } from '../advise/advisor.ts';
import type { AdvisorOptions } from '../advise/advisor-options.ts';
import type { AfterRun } from '../hooks/hook-run.ts';
import { HookRegistry } from '../hooks/hook-registry.ts';
import type { JsonObject } from '../types.ts';
import { registerToolFallback } from './register-tool-fallback.ts';

function hooked(options: AdvisorOptions = {}): HookRegistry {
  const hooks = new HookRegistry();
  registerToolFallback(hooks, options);
  return hooks;
}

const MISSING = { message: 'ENOENT: no such file or directory', additional: { isError: true } };

/** What is added to the result of one call. */
const after = async (hooks: HookRegistry, run: AfterRun): Promise<string> =>
  (await hooks.runAfter({ toolName: 'read_file', response: MISSING, ...run })).added
    .map(({ text }) => text)
    .join('');

/** The rules by which advice was given. */
async function rulesFor(
  run: (hooks: HookRegistry, data: Map<string, unknown>) => Promise<unknown>,
): Promise<string[]> {
  const rules: string[] = [];
  const hooks = hooked({
    onEvent: (event) => {
      if (event.type === 'advice-given') rules.push(...event.rules);
    },
  });
  await run(hooks, new Map());
  return rules;
}

describe('an advisor that is hooked in', () => {
  test('stands at place 30, before and after tools', () => {
    const hooks = hooked();
    expect(hooks.list('tool_execute_before')).toEqual(['_30_tool_fallback_advisor']);
    expect(hooks.list('tool_execute_after')).toEqual(['_30_tool_fallback_logger']);
  });

  test('tells of wrong options at once', () => {
    expect(() => hooked({ toolThreshold: 0 })).toThrow(InvalidOptionError);
  });

  test('keeps conversations apart', async () => {
    const hooks = hooked();
    const [one, two] = [new Map<string, unknown>(), new Map<string, unknown>()];
    expect(await after(hooks, { data: one })).toBe('');
    expect(await after(hooks, { data: two })).toBe('');
    expect(await after(hooks, { data: one })).toContain('⚠️ Tool guidance: ');
  });

  test.each<[string, JsonObject, boolean]>([
    ['isError', { isError: true }, true],
    ['exitCode', { exitCode: 1 }, true],
    ['status', { status: 503 }, true],
    ['nothing', {}, false],
    ['what it cannot read', { isError: 'yes', exitCode: '1' }, false],
  ])('believes what the host says by %s', async (_, additional, isAdvised) => {
    const hooks = hooked();
    const response = { message: 'gone', additional };
    const run = { toolName: 'deploy', response, data: new Map<string, unknown>() };
    await hooks.runAfter(run);
    expect((await hooks.runAfter(run)).added).toHaveLength(isAdvised ? 1 : 0);
  });

  test('knows the arguments from before where the host does not repeat them', async () => {
    const rules = await rulesFor(async (hooks, data) => {
      for (const path of ['a', 'b', 'b']) {
        await hooks.runBefore({ toolName: 'read_file', toolArgs: { path }, data });
        await after(hooks, { data });
      }
    });
    expect(rules).toEqual(['tool-failures', 'same-call']);
  });

  test('knows calls that run side by side by their ids, and counts them once', async () => {
    const rules = await rulesFor(async (hooks, data) => {
      const round = async (...ids: string[]): Promise<void> => {
        for (const callId of ids)
          await hooks.runBefore({
            toolName: 'read_file',
            toolArgs: { path: callId },
            callId,
            data,
          });
        for (const callId of ids.toReversed()) await after(hooks, { callId, data });
      };
      await round('a', 'b', 'c', 'd', 'e');
      expect(Advisor.restore(data.get('_tool_failures')).state.consecutive).toEqual({
        read_file: 1,
      });
      await round('f');
    });
    expect(rules).toContain('tool-failures');
  });

  test('keeps no arguments in the data of the conversation', async () => {
    const hooks = hooked();
    const data = new Map<string, unknown>();
    const toolArgs = { path: '/home/ada/diary.md' };
    await hooks.runBefore({ toolName: 'read_file', toolArgs, data });
    await after(hooks, { toolArgs, data });
    await hooks.runBefore({ toolName: 'read_file', toolArgs, data });
    expect(JSON.stringify([...data])).not.toContain('diary');
  });
});
