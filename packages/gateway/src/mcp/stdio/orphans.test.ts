import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, expect, test, vi } from 'vitest';
import { ProcessGroup } from './process-group.ts';
import { GroupSupervisor } from './group-supervisor.ts';
import { ECHO, isGroupAlive, READY, startChild, untilMessages } from './run-child.case.ts';

const PATIENCE = { timeout: 8000, interval: 20 };

/** Runs `orphans-host.case.ts`, which starts children and then waits to be killed. */
async function startHost(): Promise<{
  readonly kill: (signal: NodeJS.Signals, target?: 'group') => void;
  readonly groups: readonly ProcessGroup[];
}> {
  const host = spawn(
    process.execPath,
    [
      '--import',
      import.meta.resolve('tsx'),
      '--conditions=@holdfast/source',
      new URL('orphans-host.case.ts', import.meta.url).pathname,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true },
  );
  const lines = createInterface({ input: host.stdout });
  const { value } = (await lines[Symbol.asyncIterator]().next()) as { value: string };
  const groups = (JSON.parse(value) as number[]).map((id) => new ProcessGroup(id));
  const kill = (signal: NodeJS.Signals, target?: 'group'): void =>
    void process.kill(target === 'group' ? -host.pid! : host.pid!, signal);
  return { kill, groups };
}

describe('children', () => {
  test.each([
    ['SIGKILL', undefined],
    ['SIGKILL', 'group'],
    ['SIGINT', 'group'],
  ] as const)(
    'and their supervisor are gone within 3 s of %s to the gateway (%s)',
    async (signal, target) => {
      const host = await startHost();
      expect(host.groups).toHaveLength(4);
      expect(host.groups.map((group) => group.isAlive())).toEqual([true, true, true, true]);
      host.kill(signal, target);
      const before = performance.now();
      await vi.waitFor(() => {
        expect(host.groups.map((group) => group.isAlive())).toEqual([false, false, false, false]);
      }, PATIENCE);
      expect(performance.now() - before).toBeLessThan(3000);
    },
    20_000,
  );

  test('that come and go leave no process and no open file', async () => {
    const supervisor = new GroupSupervisor();
    const openAndClose = async (): Promise<void> => {
      const child = await startChild(READY + ECHO, { supervisor });
      await untilMessages(child, 1);
      await child.transport.close();
      expect(isGroupAlive(child)).toBe(false);
    };
    await openAndClose();
    const files = readdirSync('/proc/self/fd').length;
    for (let cycle = 0; cycle < 30; cycle++) await openAndClose();
    await vi.waitFor(() => {
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(files);
    });
    const group = new ProcessGroup(supervisor.pid!);
    supervisor.close();
    await vi.waitFor(() => {
      expect(group.isAlive()).toBe(false);
    }, PATIENCE);
  }, 30_000);

  test('are still supervised when the supervisor was lost', async () => {
    const supervisor = new GroupSupervisor();
    const child = await startChild(`${READY} setInterval(() => {}, 1000);`, { supervisor });
    await untilMessages(child, 1);
    const lost = supervisor.pid!;
    process.kill(lost, 'SIGKILL');
    await vi.waitFor(() => {
      expect(supervisor.pid ?? lost).not.toBe(lost);
    }, PATIENCE);
    supervisor.close();
    await child.whenClosed;
    expect(child.transport.ending).toBe('The server fixture was ended by SIGTERM');
  }, 20_000);
});
