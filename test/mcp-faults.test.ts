import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const isFull = process.env['HOLDFAST_FULL'] === '1';
const servers = new FaultyServers();
const PATIENCE = { timeout: 8000, interval: 25 };
/** As short as a slow machine allows. */
const LIST_TIMEOUT_MS = 1000;

afterAll(() => servers.remove());

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const from = performance.now();
  const value = await work();
  return { value, ms: performance.now() - from };
}

/** A gateway in front of servers, and a client of it, for the tests of one group. */
function behindGateway(entries: Readonly<Record<string, object>>): {
  readonly client: () => McpTestClient;
  readonly gateway: () => RunningGateway;
} {
  let gateway: RunningGateway | undefined;
  let client: McpTestClient | undefined;
  beforeAll(async () => {
    const mcp = {
      servers: entries,
      listTimeoutMs: LIST_TIMEOUT_MS,
      advice: false,
      prefix: 'always',
    };
    gateway = await startGateway({ mcp });
    client = await connectSdkV2({ url: `${gateway.url}/mcp` }, 'modern');
  }, 20_000);
  afterAll(async () => {
    await client?.close();
    await gateway?.close();
  }, 20_000);
  return { client: () => client!, gateway: () => gateway! };
}

describe('a server that crashes', () => {
  const { client, gateway } = behindGateway({
    well: servers.entry('well'),
    before: servers.entry('before'),
    behind: servers.entry('behind'),
    reader: servers.entry('reader'),
  });

  test('before it answers costs one call, which comes back within a second and says so', async () => {
    const { value, ms } = await timed(() => client().callTool('before__pay', { end: 'before' }));

    expect(value.isError).toBe(true);
    expect(textOf(value)).toContain('before__pay failed');
    expect(textOf(value)).toContain('ended with code 9');
    expect(ms).toBeLessThan(1000);
    expect(servers.count('before', 'ran', 'pay')).toBe(1);
  });

  test('is started again for the next call, even one that comes at once', async () => {
    const said = await client().callTool('before__echo', { text: 'again' });

    expect(textOf(said)).toBe('before: again');
    expect(servers.count('before', 'started')).toBe(2);
    expect(servers.count('before', 'ran', 'pay')).toBe(1);
  });

  test('behind its answer has answered, and is asked once', async () => {
    expect(textOf(await client().callTool('behind__pay', { end: 'behind' }))).toBe('paid');
    // A call that comes before anybody knows of its end may have run there, and is not made again.
    const saysSo = (line: string): boolean => line.includes('behind') && line.includes('code 9');
    await vi.waitFor(() => expect(gateway().log().split('\n').some(saysSo)).toBe(true), PATIENCE);
    expect(textOf(await client().callTool('behind__echo', { text: 'again' }))).toBe(
      'behind: again',
    );
    expect(servers.count('behind', 'ran', 'pay')).toBe(1);
  });

  test('between two calls, with nobody asking, gets the next call once', async () => {
    const { pid } = servers.events('behind').findLast(({ event }) => event === 'started')!;
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(gateway().log()).toContain('was ended by SIGKILL'), PATIENCE);
    expect(textOf(await client().callTool('behind__pay', {}))).toBe('paid');
    expect(servers.count('behind', 'ran', 'pay')).toBe(2);
  });

  test('in a tool that only reads is asked again, and the client never hears of it', async () => {
    const said = await client().callTool('reader__read', { end: 'before', once: true });

    expect(said.isError ?? false).toBe(false);
    expect(textOf(said)).toBe('paid');
    expect(servers.count('reader', 'ran', 'read')).toBe(2);
    expect(servers.count('reader', 'started')).toBe(2);
  });

  test('in a tool that says it reads and destroys is not asked again', async () => {
    const said = await client().callTool('reader__waver', { end: 'before', once: true });

    expect(said.isError).toBe(true);
    expect(servers.count('reader', 'ran', 'waver')).toBe(1);
  });

  test('leaves the others alone', () => {
    expect(servers.count('well', 'started')).toBe(1);
  });
});

describe('servers that are no good from the start', () => {
  servers.put('gone', 'down');
  servers.put('deaf', 'deaf');
  const { client, gateway } = behindGateway({
    gone: servers.entry('gone'),
    deaf: servers.entry('deaf'),
    missing: { command: 'no-such-program-as-this' },
    well: servers.entry('fine'),
  });

  test('keep nobody from being listed, within the time for lists', async () => {
    const { value, ms } = await timed(() => client().listTools());

    expect(value.map(({ name }) => name)).toContain('well__echo');
    expect(new Set(value.map(({ name }) => name.split('__')[0]))).toEqual(new Set(['well']));
    expect(ms).toBeLessThan(LIST_TIMEOUT_MS + 1000);
  });

  test('keep nobody from being called, at full speed', async () => {
    const { value, ms } = await timed(() => client().callTool('well__echo', { text: 'hi' }));

    expect(textOf(value)).toBe('fine: hi');
    expect(ms).toBeLessThan(500);
  });

  test('are named in the log, with their last words', () => {
    expect(gateway().log()).toContain('the database is gone');
    expect(gateway().log()).toContain('no-such-program-as-this');
  });

  test('are tried again ever more seldom, and listed as soon as they are back', async () => {
    await vi.waitFor(() => expect(servers.count('gone', 'started')).toBeGreaterThan(2), PATIENCE);
    // 0.25 s to 0.5 s, then twice as long each time: in ten seconds no more than six.
    expect(servers.count('gone', 'started')).toBeLessThan(8);
    servers.undo('gone', 'down');
    await vi.waitFor(async () => {
      const names = (await client().listTools()).map(({ name }) => name);
      expect(names).toContain('gone__echo');
    }, PATIENCE);
    expect(textOf(await client().callTool('gone__echo', { text: 'back' }))).toBe('gone: back');
  }, 20_000);
});

describe('a server that goes and comes back', () => {
  const { client } = behindGateway({
    comes: servers.entry('comes', { circuit: { openForMs: 100 } }),
    well: servers.entry('stays'),
  });

  test('is listed from its last good copy, and its calls are refused in words', async () => {
    const before = (await client().listTools()).map(({ name }) => name);
    servers.put('comes', 'down');
    await client().callTool('comes__pay', { end: 'before' });
    const { value, ms } = await timed(() => client().listTools());

    expect(value.map(({ name }) => name)).toEqual(before);
    expect(ms).toBeLessThan(LIST_TIMEOUT_MS + 500);
    const refused = await client().callTool('comes__echo', { text: 'hi' });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/the database is gone/);
  });

  test('is started once, however many need it', async () => {
    servers.undo('comes', 'down');
    const startedBefore = servers.count('comes', 'started');
    const ask = () => client().callTool('comes__echo', { text: 'hi' });
    await vi.waitFor(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      expect(new Set(answers.map(textOf))).toEqual(new Set(['comes: hi']));
    }, PATIENCE);
    expect(servers.count('comes', 'started') - startedBefore).toBeLessThanOrEqual(2);
    const { pid } = servers.events('comes').findLast(({ event }) => event === 'started')!;
    expect(
      servers
        .events('comes')
        .filter(({ event }) => event === 'ran')
        .at(-1)?.pid,
    ).toBe(pid);
  }, 20_000);

  test.skipIf(!isFull)(
    'after a minute is there within half a minute',
    async () => {
      const startedBefore = servers.count('comes', 'started');
      servers.put('comes', 'down');
      await client().callTool('comes__pay', { end: 'before' });
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      // 0.5 s, 1 s, 2 s … 30 s, each no less than half of it.
      expect(servers.count('comes', 'started') - startedBefore).toBeLessThan(12);
      servers.undo('comes', 'down');
      await vi.waitFor(
        async () => {
          const said = await client().callTool('comes__echo', { text: 'hi' });
          expect(textOf(said)).toBe('comes: hi');
        },
        { timeout: 35_000, interval: 500 },
      );
      expect(servers.count('stays', 'started')).toBe(1);
    },
    120_000,
  );
});

describe('a server that is slow to list', () => {
  const { client } = behindGateway({
    slow: servers.entry('slow'),
    well: servers.entry('quick'),
  });

  test('is listed from its last good copy, and keeps the others waiting no longer than the bound', async () => {
    const before = (await client().listTools()).map(({ name }) => name);
    expect(before).toContain('slow__echo');
    servers.put('slow', 'slow', '30000');
    const { value, ms } = await timed(() => client().listTools());

    expect(value.map(({ name }) => name)).toEqual(before);
    expect(ms).toBeLessThan(LIST_TIMEOUT_MS + 500);
  });

  test('still runs its tools at full speed', async () => {
    const { value, ms } = await timed(() => client().callTool('slow__echo', { text: 'hi' }));

    expect(textOf(value)).toBe('slow: hi');
    expect(ms).toBeLessThan(500);
  });
});

describe('a server that writes nonsense', () => {
  const { client, gateway } = behindGateway({
    odd: servers.entry('odd', {
      timeout: 1500,
      circuit: { consecutiveFailures: 100, minCalls: 100 },
    }),
  });
  const write = (...lines: readonly string[]) =>
    client().callTool('odd__write', { lines: [...lines, ''] });
  const answer = '{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}';

  test.each([
    ['lines that are no JSON', ['Server listening on port 3000', '{"jsonrpc":', answer]],
    ['JSON that is no message', ['null', '[]', '42', '"text"', '{}', '{"jsonrpc":"2.0"}', answer]],
    ['an answer to nobody', ['{"jsonrpc":"2.0","id":987654,"result":{}}', answer]],
    ['an answer twice', [answer, answer]],
    ['a request nobody knows', ['{"jsonrpc":"2.0","id":"x","method":"no/such"}', answer]],
    ['a notification nobody knows', ['{"jsonrpc":"2.0","method":"notifications/odd"}', answer]],
  ])('is still understood behind %s', async (_, lines) => {
    expect(textOf(await write(...lines))).toBe('fine');
    expect(textOf(await client().callTool('odd__echo', { text: 'hi' }))).toBe('odd: hi');
  });

  test.each([
    ['content that is no list', '{"jsonrpc":"2.0","id":ID,"result":{"content":"fine"}}'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":ID,"result":"fine"}'],
    ['an error without a message', '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000}}'],
    ['neither result nor error', '{"jsonrpc":"2.0","id":ID}'],
    ['blocks that are no objects', '{"jsonrpc":"2.0","id":ID,"result":{"content":[null,1]}}'],
  ])('fails one call with %s, not the server', async (_, line) => {
    const { value, ms } = await timed(() => write(line).catch((error: unknown) => error));

    expect(JSON.stringify(value) + String(value)).toMatch(/odd|cannot be read/);
    expect(ms).toBeLessThan(2500);
    expect(textOf(await client().callTool('odd__echo', { text: 'hi' }))).toBe('odd: hi');
  });

  test('costs no more than its own time with half a line', async () => {
    const said = await client().callTool('odd__write', { lines: ['{"jsonrpc":"2.0",'] });
    expect(textOf(said)).toMatch(/did not answer within 1.5 s/);
    // The other half is what was answered last: this line is lost, and the next one is whole.
    await client().callTool('odd__echo', { text: 'lost' });
    expect(textOf(await client().callTool('odd__echo', { text: 'hi' }))).toBe('odd: hi');
  });

  test('that floods its standard error answers, and the log stays short', async () => {
    const before = gateway().log().length;
    const said = await client().callTool('odd__complain', { bytes: 20_000_000 });

    expect(textOf(said)).toBe('I have complained');
    expect(gateway().log().length - before).toBeLessThan(200_000);
  });

  test('was never started twice for it', () => {
    expect(servers.count('odd', 'started')).toBe(1);
  });
});

describe('200 calls at once over 20 servers', () => {
  const names = Array.from({ length: 20 }, (_, at) => `s${at}`);
  const { client } = behindGateway(
    Object.fromEntries(names.map((name) => [name, servers.entry(name)])),
  );

  test('are all answered, each by its own server', async () => {
    await client().listTools();
    const calls = Array.from({ length: 200 }, (_, at) => [names[at % 20]!, `call ${at}`] as const);
    const { value, ms } = await timed(() =>
      Promise.all(calls.map(([name, text]) => client().callTool(`${name}__echo`, { text }))),
    );

    expect(value.map(textOf)).toEqual(calls.map(([name, text]) => `${name}: ${text}`));
    expect(names.map((name) => servers.count(name, 'ran', 'echo'))).toEqual(names.map(() => 10));
    expect(ms).toBeLessThan(5000);
  }, 30_000);
});
