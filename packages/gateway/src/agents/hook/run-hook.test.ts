import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failed, fakeHost, moment, temporaryFolder } from './fake-host.case.ts';
import type { HookEvent, HookHost } from './hook-host.ts';
import { HookStore } from './hook-store.ts';
import { runHook } from './run-hook.ts';

interface Hook {
  (events: readonly HookEvent[], canSpeak?: boolean): Promise<string>;
  readonly problems: unknown[];
}

/** Runs the hook again and again for one conversation, as an agent does: each time with nothing but the folder. */
function hookIn(folder: string, { veto = false } = {}): Hook {
  const problems: unknown[] = [];
  const run = (events: readonly HookEvent[], canSpeak = true): Promise<string> =>
    runHook(fakeHost, moment(events, canSpeak), {
      store: () => new HookStore(folder),
      veto,
      onProblem: (problem) => problems.push(problem),
    });
  return Object.assign(run, { problems });
}

const before: HookEvent = {
  kind: 'before',
  call: { tool: 'bash', arguments: { command: 'cat a.txt' } },
};

describe('runHook', () => {
  it('says nothing of the first failure, and gives advice at the second', async () => {
    const hook = hookIn(temporaryFolder());

    expect(await hook([failed('1')])).toBe('silence');
    const { advice } = JSON.parse(await hook([failed('2')])) as { advice: string };
    expect(advice).toMatch(/^⚠️ Tool guidance: The same bash call failed 2 times/);
    expect(advice).toContain('No such file or directory');
  });

  it('passes over the end of a call that it was told before', async () => {
    const hook = hookIn(temporaryFolder());

    expect(await hook([failed('1')])).toBe('silence');
    expect(await hook([failed('1')])).toBe('silence');
    expect(await hook([failed('1'), failed('2')])).toContain('failed 2 times');
  });

  it('keeps advice for a moment at which it can be heard, and gives it once', async () => {
    const hook = hookIn(temporaryFolder());

    await hook([failed('1')], false);
    expect(await hook([failed('2')], false)).toBe('silence');
    expect(await hook([], true)).toContain('failed 2 times');
    expect(await hook([], true)).toBe('silence');
  });

  it('lets newer advice stand in for older of the same rule', async () => {
    const hook = hookIn(temporaryFolder());

    await hook([failed('1', 'a'), failed('2', 'a'), failed('3', 'b'), failed('4', 'b')], false);
    const { advice } = JSON.parse(await hook([])) as { advice: string };
    expect(advice.match(/call failed 2 times/g)).toHaveLength(1);
    expect(advice).toContain('cat: b');
  });

  it('forgets what waits when the user speaks', async () => {
    const hook = hookIn(temporaryFolder());

    await hook([failed('1'), failed('2')], false);
    expect(await hook([{ kind: 'user-spoke' }])).toBe('silence');
    expect(await hook([])).toBe('silence');
  });

  it('stops a call only where it may, and only one that has not run', async () => {
    const folder = temporaryFolder();
    await hookIn(folder)([failed('1'), failed('2')]);

    expect(await hookIn(folder)([before], false)).toBe('silence');
    expect(await hookIn(folder, { veto: true })([before, { kind: 'user-spoke' }])).toBe('silence');
    await hookIn(folder)([failed('3'), failed('4')]);
    expect(await hookIn(folder, { veto: true })([before], false)).toMatch(/^\{"veto":/);
  });

  it.each(['', 'nonsense', '[1]', 'null', '"text"', '{"a":'])(
    'says nothing of the input %j',
    async (input) => {
      const options = { store: () => new HookStore(temporaryFolder()), veto: false };

      expect(await runHook(fakeHost, input, options)).toBe('silence');
    },
  );

  it('reads JSON behind a byte order mark', async () => {
    const store = new HookStore(temporaryFolder());
    const text = `\uFEFF${moment([failed('1'), failed('2')])}`;

    expect(await runHook(fakeHost, text, { store: () => store, veto: false })).toContain('2 times');
  });

  it.each<[string, Partial<HookHost>]>([
    [
      'throws',
      {
        read: () => {
          throw new Error('broken');
        },
      },
    ],
    ['rejects', { read: () => Promise.reject(new Error('broken')) }],
    ['has no interest', { read: () => Promise.resolve(undefined) }],
    [
      'cannot write',
      {
        write: () => {
          throw new Error('broken');
        },
      },
    ],
  ])('says nothing where the host %s', async (_, broken) => {
    const store = new HookStore(temporaryFolder());
    const input = moment([failed('1'), failed('2')]);

    expect(
      await runHook({ ...fakeHost, ...broken }, input, { store: () => store, veto: false }),
    ).toBe('silence');
  });

  it('ends in time where the host or the input never does', async () => {
    const problems: unknown[] = [];
    const options = {
      store: () => new HookStore(temporaryFolder()),
      veto: false,
      deadlineMs: 20,
      onProblem: (problem: unknown) => problems.push(problem),
    };
    const never = new Promise<never>(() => undefined);

    expect(await runHook({ ...fakeHost, read: () => never }, '{}', options)).toBe('silence');
    expect(await runHook(fakeHost, never, options)).toBe('silence');
    expect(problems.map(String)).toEqual(Array(2).fill('Error: no answer within 20 ms'));
  });

  it('says nothing where there is no place for its memory', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const hook = hookIn(join(file, 'hooks'));

    expect(await hook([failed('1'), failed('2')])).toBe('silence');
    expect(String(hook.problems)).toContain('ENOTDIR');

    const none = {
      store: () => {
        throw new Error('no home');
      },
      veto: false,
    };
    expect(await runHook(fakeHost, moment([failed('1')]), none)).toBe('silence');
  });

  it.skipIf(process.getuid?.() === 0)('says nothing where it may not write', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    const hook = hookIn(join(folder, 'hooks'));

    expect(await hook([failed('1'), failed('2')])).toBe('silence');
    expect(String(hook.problems)).toContain('EACCES');
    chmodSync(folder, 0o700);
  });
});
