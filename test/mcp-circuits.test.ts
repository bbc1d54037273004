import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { FaultyServers, textOf } from './support/faulty-servers.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { startMcpGateway } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

const servers = new FaultyServers();
const OPEN_FOR_MS = 1500;
const PATIENCE = { timeout: 8000, interval: 50 };
const CIRCUIT_FIELDS = [
  'circuit_calls_in_window',
  'circuit_failures_in_window',
  'circuit_failure_rate',
  'circuit_consecutive_failures',
  'circuit_open_until',
  'circuit_half_open',
  'circuit_retry_after_seconds',
];

afterAll(() => servers.remove());

function behindGateway(
  entries: Readonly<Record<string, object>>,
  ...flags: readonly string[]
): () => McpTestClient {
  let gateway: Serving | undefined;
  let client: McpTestClient | undefined;
  beforeAll(async () => {
    gateway = await startMcpGateway({ mcpServers: entries }, flags);
    client = await connectSdkV2({ url: gateway.url });
  }, 20_000);
  afterAll(async () => {
    await client?.close();
    await gateway?.close();
  }, 20_000);
  return () => client!;
}

const twenty = Array.from({ length: 20 }, (_, at) => at);

describe('arguments that do not fit', () => {
  const client = behindGateway({ checked: servers.entry('checked') });

  test('never reach the server, and never open the circuit', async () => {
    for (const at of twenty) {
      const said = await client().callTool('echo', { words: at });
      expect(said.isError).toBe(true);
      expect(textOf(said)).toContain('text is missing');
    }
    const said = await client().callTool('echo', { text: 'hi' });

    expect(textOf(said)).toBe('checked: hi');
    expect(said._meta).toMatchObject({ circuit_calls_in_window: 1, circuit_failures_in_window: 0 });
    expect(servers.count('checked', 'ran')).toBe(1);
  });
});

describe('arguments that only the server finds wrong', () => {
  const client = behindGateway({ lax: servers.entry('lax') }, '--no-check', '--no-advice');

  test('never open the circuit where it says so by -32602', async () => {
    for (const at of twenty) {
      const calling = client().callTool('refuse', { code: -32_602, message: `wrong ${at}` });
      await expect(calling).rejects.toMatchObject({ code: -32_602 });
    }
    expect(servers.count('lax', 'ran', 'refuse')).toBe(20);
  });

  test('never open the circuit where it says so in words', async () => {
    const text =
      'MCP error -32602: Input validation error: Invalid arguments for tool fail: [{"code":"invalid_type","path":["city"],"message":"Required"}]';
    for (const at of twenty) {
      expect(textOf(await client().callTool('fail', { text, at }))).toBe(text);
    }
    const { _meta: meta } = await client().callTool('fail', { text });

    expect(servers.count('lax', 'ran', 'fail')).toBe(21);
    expect(meta).toMatchObject({ circuit_failures_in_window: 0, circuit_open_until: 0 });
  });
});

/** What real servers answer, with `isError`, where nothing is wrong with them. */
const EXPLAINED = [
  "ENOENT: no such file or directory, open '/notes/a.txt'",
  "Error executing tool read: [Errno 2] No such file or directory: 'a.txt'",
  'Access denied - path outside allowed directories: /etc/passwd not in /notes',
  'Error: failed to get repository: GET https://api.example.com/r: 404 Not Found []',
  '{"error":"Unauthorized","status":401}',
  '1 validation error for ReadArguments\npath\n  Field required [type=missing]',
];

describe('errors that explain themselves', () => {
  const client = behindGateway(
    {
      files: servers.entry('files'),
      strict: servers.entry('strict', {
        circuit: { counts: { 'not-found': true }, toolCounts: { refuse: { auth: true } } },
      }),
      lenient: servers.entry('lenient', {
        circuit: { toolCounts: { fail: { 'tool-error': false } } },
      }),
    },
    '--no-advice',
  );
  const fail = async (server: string, text: string, times: number): Promise<number> => {
    for (let at = 0; at < times; at++) await client().callTool(`${server}__fail`, { text, at });
    return servers.count(server, 'ran', 'fail');
  };

  test('never open the circuit: not found, access denied, wrong arguments', async () => {
    for (const text of EXPLAINED) await fail('files', text, 20);

    expect(servers.count('files', 'ran', 'fail')).toBe(20 * EXPLAINED.length);
  });

  test('open it when circuit.counts says so', async () => {
    expect(await fail('strict', EXPLAINED[0]!, 8)).toBe(5);
  });

  test('leave the errors that explain nothing to open it', async () => {
    const before = servers.count('files', 'ran', 'fail');
    expect(await fail('files', 'something broke', 8)).toBe(before + 5);
  });

  test('count by tool when circuit.toolCounts says so', async () => {
    expect(await fail('lenient', 'something broke', 8)).toBe(8);
  });
});

describe('a tool that keeps failing', () => {
  const client = behindGateway(
    { sick: servers.entry('sick', { circuit: { openForMs: OPEN_FOR_MS } }) },
    '--no-advice',
  );
  const call = () => client().callTool('flaky');
  const ran = (): number => servers.count('sick', 'ran', 'flaky');
  const untilClosed = () =>
    vi.waitFor(async () => expect(textOf(await call())).toBe('well'), PATIENCE);

  test('is left alone after five failures, and the model is told when to call again', async () => {
    servers.put('sick', 'ill');
    for (let at = 0; at < 5; at++) expect(textOf(await call())).toBe('boom');
    const from = performance.now();
    const refused = await call();

    expect(performance.now() - from).toBeLessThan(250);
    expect(refused.isError).toBe(true);
    expect(ran()).toBe(5);
    const [, time = '', seconds] =
      /Do not call flaky again before (\S+) \(in (\d) s\)\./.exec(textOf(refused)) ?? [];
    expect(Date.parse(time) - Date.now()).toBeGreaterThan(0);
    expect(Date.parse(time) - Date.now()).toBeLessThanOrEqual(OPEN_FOR_MS);
    expect(Number(seconds)).toBe(Math.ceil(Number(refused._meta?.['circuit_retry_after_seconds'])));
    expect(Object.keys(refused._meta ?? {})).toEqual(expect.arrayContaining(CIRCUIT_FIELDS));
    expect(refused._meta).toMatchObject({ circuit_consecutive_failures: 5 });
  });

  test('leaves the other tools of its server open', async () => {
    const said = await client().callTool('echo', { text: 'hi' });
    expect(textOf(said)).toBe('sick: hi');
    expect(Object.keys(said._meta ?? {})).toEqual(expect.arrayContaining(CIRCUIT_FIELDS));
  });

  test('is tried by one call after that time, however many come', async () => {
    await new Promise((resolve) => setTimeout(resolve, OPEN_FOR_MS));
    const said = await Promise.all(twenty.map(call));

    expect(ran()).toBe(6);
    expect(said.filter((each) => textOf(each) === 'boom')).toHaveLength(1);
  });

  test('is back for all once that one call succeeds', async () => {
    servers.undo('sick', 'ill');
    await untilClosed();
    const said = await Promise.all(twenty.map(call));

    expect(new Set(said.map(textOf))).toEqual(new Set(['well']));
    expect(said.at(-1)?._meta).toMatchObject({ circuit_open_until: 0, circuit_half_open: false });
  });
});

describe('a tool that hangs', () => {
  const client = behindGateway(
    {
      stuck: servers.entry('stuck', { timeout: 1000, circuit: { consecutiveFailures: 2 } }),
      lively: servers.entry('lively'),
    },
    '--no-advice',
  );

  test('is given up after its timeout, and its server is told', async () => {
    const from = performance.now();
    const hanging = [client().callTool('stuck__hang'), client().callTool('stuck__hang')];
    // Meanwhile nobody else notices.
    for (const name of ['lively', 'stuck']) {
      expect(textOf(await client().callTool(`${name}__echo`, { text: 'hi' }))).toBe(`${name}: hi`);
    }
    expect(performance.now() - from).toBeLessThan(900);
    const said = await Promise.all(hanging);

    expect(said.map(textOf)).toEqual([
      expect.stringContaining('did not answer within 1 s'),
      expect.stringContaining('did not answer within 1 s'),
    ]);
    expect(performance.now() - from).toBeLessThan(2500);
    await vi.waitFor(() => expect(servers.count('stuck', 'cancelled')).toBe(2), PATIENCE);
  });

  test('is then refused at once, and the others are not', async () => {
    expect(textOf(await client().callTool('stuck__hang'))).toMatch(
      /was not called: it failed 2 times/,
    );
    expect(servers.count('stuck', 'ran', 'hang')).toBe(2);
    expect(textOf(await client().callTool('lively__echo', { text: 'hi' }))).toBe('lively: hi');
    expect(textOf(await client().callTool('stuck__echo', { text: 'hi' }))).toBe('stuck: hi');
  });
});
