import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './support/repository.ts';

interface Circuit {
  readonly name: string;
  readonly history: readonly { readonly to: string }[];
}

interface Tool {
  readonly tool: string;
  readonly ok: number;
}

interface Parsing {
  readonly models: readonly { readonly formats: Readonly<Record<string, number>> }[];
  readonly unread: readonly { readonly text: string | null }[];
}

interface Turn {
  readonly has_capture: boolean;
}

/** The processes that a process has started, on a system that tells. */
function childrenOf(pid: number): readonly number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

test('a demo shows a circuit that opens and closes, agents at work and advice, and ends with all it started', async () => {
  const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
  const demo = spawn(process.execPath, [bin, 'demo', '--port', '0', '--flaky', '4', '--json'], {
    env: { ...process.env, HOLDFAST_LOG: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void demo.kill('SIGKILL'));
  const [line] = (await once(demo.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(line.toString()) as { url: string };
  const ask = async (path: string): Promise<unknown> => (await fetch(url + path)).json();

  const statesOf = async (): Promise<readonly string[]> => {
    const { circuits } = (await ask('/api/v1/circuits')) as { circuits: readonly Circuit[] };
    const flaky = circuits.find(({ name }) => name.includes('charge_card'));
    if (flaky === undefined) return [];
    const path = `/api/v1/circuits/${encodeURIComponent(flaky.name)}`;
    const { history } = (await ask(path)) as Circuit;
    return history.map(({ to }) => to);
  };
  await expect
    .poll(statesOf, { timeout: 60_000, interval: 200 })
    .toEqual(expect.arrayContaining(['open', 'closed']));
  await expect
    .poll(() => ask('/api/v1/overview'), { timeout: 30_000, interval: 200 })
    .toMatchObject({
      totals: {
        turns: expect.toSatisfy((count: number) => count > 5) as number,
        advice: expect.toSatisfy((count: number) => count > 0) as number,
        turns_failed: 0,
      },
    });
  const { tools } = (await ask('/api/v1/tools')) as { tools: readonly Tool[] };
  const okOf = Object.fromEntries(tools.map(({ tool, ok }) => [tool, ok > 0]));
  expect(okOf).toEqual({
    get_weather: true,
    search_pages: true,
    read_note: true,
    charge_card: true,
  });
  const dialects = async (): Promise<number> => {
    const { models } = (await ask('/api/v1/parsing')) as Parsing;
    return new Set(models.flatMap(({ formats }) => Object.keys(formats))).size;
  };
  await expect.poll(dialects, { timeout: 60_000, interval: 500 }).toBeGreaterThanOrEqual(20);
  const { models, unread } = (await ask('/api/v1/parsing')) as Parsing;
  expect(models.length).toBeGreaterThan(2);
  expect(unread[0]?.text).toContain('<tool_call>');
  const { requests } = (await ask('/api/v1/requests?limit=500')) as { requests: readonly Turn[] };
  expect(requests.filter(({ has_capture: isKept }) => !isKept)).toEqual([]);
  expect((await fetch(url)).headers.get('content-type')).toContain('text/html');

  const children = childrenOf(demo.pid!);
  const closed = once(demo, 'exit');
  const stoppedAt = performance.now();
  demo.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  expect(performance.now() - stoppedAt).toBeLessThan(5_000);
  const left = (): readonly number[] => children.filter((pid) => existsSync(`/proc/${pid}/stat`));
  await expect.poll(left, { timeout: 5_000 }).toEqual([]);
}, 120_000);
