import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import type { CalledTool, McpTestClient } from './support/mcp-test-client.ts';
import { root } from './support/repository.ts';
import { wrapServer } from './support/start-mcp-gateway.ts';
import { startServing } from './support/start-serving.ts';

/** A plugin as its own page configures it, to the letter. */
const ENTRY = `- name: "CircuitBreaker"
  kind: "plugins.circuit_breaker.circuit_breaker.CircuitBreakerPlugin"
  hooks: ["tool_pre_invoke", "tool_post_invoke"]
  mode: "enforce_ignore_error"
  priority: 70
  config:
    error_rate_threshold: 0.5      # Fraction of failures to trip breaker (0-1)
    window_seconds: 60             # Time window for error rate calculation
    min_calls: 10                  # Minimum calls before evaluating error rate
    consecutive_failure_threshold: 5  # Consecutive failures to trip breaker
    cooldown_seconds: 60           # Duration circuit stays open
    tool_overrides: {}             # Per-tool config overrides
`;

/** The same page's configuration for an unstable payment gateway, to the letter. */
const SCENARIO = `config:
  # 1. Base Strategy (General Tools)
  window_seconds: 60
  min_calls: 10
  error_rate_threshold: 0.5
  consecutive_failure_threshold: 5
  cooldown_seconds: 30

  # 2. Specific Strategy (Critical Payment Tool)
  tool_overrides:
    payment_api:
      consecutive_failure_threshold: 2
      cooldown_seconds: 120
      min_calls: 3
`;

const [HEAD = ''] = ENTRY.split('  config:');
const PAYMENT = HEAD + SCENARIO.replaceAll(/^(?=.)/gm, '  ');
/** A cooldown that a test can wait for. */
const BRIEF = PAYMENT.replace('cooldown_seconds: 120', 'cooldown_seconds: 2');

const SEVEN = [
  'circuit_calls_in_window',
  'circuit_failures_in_window',
  'circuit_failure_rate',
  'circuit_consecutive_failures',
  'circuit_open_until',
  'circuit_half_open',
  'circuit_retry_after_seconds',
];

/** For programs that have to load everything first, on a busy machine. */
const PATIENCE = { timeout: 8000, interval: 50 };

const folder = mkdtempSync(join(tmpdir(), 'holdfast-payment-'));
const pluginFile = join(folder, 'plugins.yaml');
const moodyServer = join(root, 'test/support/moody-server.mjs');
const server = (...tools: readonly string[]): readonly string[] => [
  process.execPath,
  moodyServer,
  ...tools,
];

let client: McpTestClient;
afterEach(() => client.close());
afterAll(() => rmSync(folder, { recursive: true }));

/** Starts `holdfast mcp --plugins plugins.yaml -- node server`. */
async function start(
  yaml: string,
  tools: readonly string[] = ['payment_api', 'weather'],
  ...flags: readonly string[]
): Promise<void> {
  writeFileSync(pluginFile, yaml);
  const all = ['--plugins', pluginFile, '--no-advice', ...flags];
  client = await connectSdkV2({ start: wrapServer(server(...tools), all) });
}

const pay = (tool = 'payment_api'): Promise<CalledTool> => client.callTool(tool, { cents: 100 });

/** Sets the mood of the server. Returns how often each tool was called. */
async function mood(is?: 'fine' | 'failing' | 'picky' | 'silent'): Promise<Record<string, number>> {
  const result = await client.callTool('mood', is === undefined ? {} : { is });
  return JSON.parse(textOf(result)) as Record<string, number>;
}

function textOf({ content }: CalledTool): string {
  const [block] = content as readonly { readonly text: string }[];
  return block?.text ?? '';
}

async function times(count: number, make: () => Promise<unknown>): Promise<void> {
  for (let made = 0; made < count; made++) await make();
}

test('the plugin as its page configures it opens for any tool after five failures in a row', async () => {
  await start(ENTRY);
  await mood('failing');
  await times(7, () => pay());

  expect(await mood()).toEqual({ payment_api: 5, weather: 0 });
});

describe('an unstable payment gateway', () => {
  beforeEach(() => start(PAYMENT));

  test('is left alone for two minutes after two failures, and other tools after five', async () => {
    await mood('failing');
    expect(textOf(await pay())).toBe('502 Bad Gateway');
    expect((await pay())._meta).toMatchObject({
      circuit_consecutive_failures: 2,
      circuit_failure_rate: 1,
      circuit_retry_after_seconds: 120,
    });
    await times(3, () => pay());
    await times(7, () => pay('weather'));

    expect(await mood()).toEqual({ payment_api: 2, weather: 5 });
    expect((await pay('weather'))._meta?.['circuit_retry_after_seconds']).toBeLessThanOrEqual(30);
  });

  test('is refused with what the model can act on, and with what a program needs', async () => {
    await mood('failing');
    await times(2, () => pay());
    const before = Date.now() / 1000;
    const { isError, content, _meta } = await pay();

    expect(isError).toBe(true);
    expect(content).toEqual([{ type: 'text', text: expect.any(String) as string }]);
    expect(textOf({ content })).toMatch(
      /^payment_api keeps failing \(2 times in a row\), so this call was not made\. Do not call payment_api again before \d{4}-\d\d-\d\dT[\d:.]+Z \(in 1[12]\d s\)\. Use another tool, or go on without it\.$/,
    );
    expect(Object.keys(_meta ?? {})).toEqual([...SEVEN, 'holdfast/violation']);
    const { circuit_open_until: until, circuit_retry_after_seconds: wait } = _meta ?? {};
    expect(Number(until) - before).toBeCloseTo(Number(wait), -1);
    expect(_meta).toMatchObject({
      circuit_calls_in_window: 2,
      circuit_failures_in_window: 2,
      circuit_half_open: false,
      'holdfast/violation': {
        code: 'CIRCUIT_OPEN',
        reason: 'Circuit open',
        details: { open_until: until, retry_after_seconds: wait },
      },
    });
  });

  test('has the seven fields in every result, and nothing else is changed', async () => {
    const { _meta, ...rest } = await pay();

    expect(rest).toMatchObject({
      content: [{ type: 'text', text: 'payment_api is done' }],
      isError: false,
    });
    expect(_meta).toEqual({
      circuit_calls_in_window: 1,
      circuit_failures_in_window: 0,
      circuit_failure_rate: 0,
      circuit_consecutive_failures: 0,
      circuit_open_until: 0,
      circuit_half_open: false,
      circuit_retry_after_seconds: 0,
    });
  });

  test('is not blamed for arguments that the gateway refuses', async () => {
    await times(5, () => client.callTool('payment_api', { cents: 'many' }));

    expect((await pay())._meta).toMatchObject({ circuit_failures_in_window: 0 });
    expect(await mood()).toMatchObject({ payment_api: 1 });
  });

  test('is refused after results with isError, whatever they say', async () => {
    await mood('picky');
    await times(5, () => pay());

    expect(await mood()).toMatchObject({ payment_api: 2 });
  });
});

test('timeouts of the gateway count as failures', async () => {
  await start(PAYMENT, ['payment_api'], '--timeout', '0.3');
  await mood('silent');
  expect(textOf(await pay())).toContain('payment_api did not answer within 0.3 s.');
  await pay();
  const refused = await pay();

  expect(textOf(refused)).toContain('Do not call payment_api again before');
  expect(refused._meta).toMatchObject({ circuit_failures_in_window: 2 });
  expect(await mood()).toEqual({ payment_api: 2 });
});

describe('after the cooldown', () => {
  beforeEach(async () => {
    await start(BRIEF);
    await mood('failing');
    await times(2, () => pay());
    expect(textOf(await pay())).toContain('so this call was not made');
  });

  /** Waits until a call is let through. */
  const cooledDown = (): Promise<CalledTool> =>
    vi.waitFor(async () => {
      const result = await pay();
      expect(textOf(result)).not.toContain('so this call was not made');
      return result;
    }, PATIENCE);

  test('one call is let through, others are refused meanwhile, and its success closes the circuit', async () => {
    await mood('silent');
    const probe = cooledDown();
    await vi.waitFor(async () => expect(await mood()).toMatchObject({ payment_api: 3 }), PATIENCE);
    const other = await pay();
    await mood('fine');

    expect(other._meta).toMatchObject({
      circuit_half_open: true,
      'holdfast/violation': { code: 'CIRCUIT_HALF_OPEN_PROBE_IN_FLIGHT' },
    });
    expect(await probe).toMatchObject({ isError: false, _meta: { circuit_half_open: true } });
    expect((await pay())._meta).toMatchObject({ circuit_half_open: false, circuit_open_until: 0 });
  });

  test('a call that fails opens it for another cooldown', async () => {
    expect(textOf(await cooledDown())).toBe('502 Bad Gateway');
    expect((await pay())._meta).toMatchObject({
      'holdfast/violation': { code: 'CIRCUIT_OPEN' },
    });
    expect(await mood()).toMatchObject({ payment_api: 3 });
  });
});

describe('the mode of a plugin', () => {
  const breaker = (mode: string): string =>
    `- { name: ${mode}, kind: circuit-breaker, mode: ${mode}, conditions: [{ tools: [${mode}] }], ` +
    'config: { consecutive_failure_threshold: 2 } }\n';
  const broken = (mode: string): string =>
    `- { name: ${mode}, kind: ./broken.mjs, mode: ${mode}, conditions: [{ tools: [${mode}] }] }\n`;

  test('says whether its word stops a call', async () => {
    const modes = ['enforce', 'concurrent', 'permissive', 'audit', 'disabled'];
    await start(modes.map(breaker).join(''), modes);
    await mood('failing');
    for (const mode of modes) await times(7, () => pay(mode));

    // Where no plugin may stop calls, the gateway's own circuits do.
    expect(await mood()).toEqual({
      enforce: 2,
      concurrent: 2,
      permissive: 5,
      audit: 5,
      disabled: 5,
    });
  });

  test('says whether its own failure ends a call', async () => {
    writeFileSync(
      join(folder, 'broken.mjs'),
      'export default { tool_pre_invoke() { throw new Error("no database"); } };\n',
    );
    const modes = ['enforce', 'enforce_ignore_error', 'permissive', 'audit', 'fire_and_forget'];
    await start(modes.map(broken).join(''), modes);
    const ended: string[] = [];
    for (const mode of modes) if ((await pay(mode)).isError === true) ended.push(mode);

    expect(ended).toEqual(['enforce']);
    const { _meta, content } = await pay('enforce');
    expect(_meta).toMatchObject({ 'holdfast/violation': { code: 'PLUGIN_ERROR' } });
    expect(textOf({ content })).not.toContain('no database');
  });
});

test('a plugin of a few lines runs around the calls of holdfast mcp', async () => {
  // The page's own file names the server, which is called after the folder of its program.
  cpSync(join(root, 'examples/plugin'), folder, { recursive: true });
  cpSync(moodyServer, join(folder, 'files/index.mjs'));
  const files = [process.execPath, join(folder, 'files/index.mjs'), 'read_file'];
  client = await connectSdkV2({ start: wrapServer(files, ['--plugins', pluginFile]) });
  const stopped = await client.callTool('read_file', { path: '/payroll/may.csv' });

  expect(stopped).toMatchObject({
    isError: true,
    content: [{ type: 'text', text: 'Files in /payroll are private. Do not ask for them again.' }],
    _meta: { 'holdfast/violation': { code: 'PAYROLL', reason: 'Private folder' } },
  });
  expect(textOf(await client.callTool('read_file', { path: '/notes.md' }))).toBe(
    'read_file is done',
  );
  expect(await mood()).toEqual({ read_file: 1 });
});

test('a call that runs while the plugins change ends with those it began with', async () => {
  writeFileSync(
    join(folder, 'sign.mjs'),
    'export default ({ as }) => ({ tool_post_invoke: () => ({ metadata: { signed: as } }) });\n',
  );
  const signedBy = (as: string): string =>
    `${PAYMENT}- { name: sign, kind: ./sign.mjs, config: { as: ${as} } }\n`;
  writeFileSync(pluginFile, signedBy('old'));
  const flags = ['--listen', '127.0.0.1:0', '--plugins', pluginFile];
  const serving = await startServing(wrapServer(server('payment_api', 'weather'), flags), folder);
  client = await connectSdkV2({ url: `${new URL(serving.url).origin}/mcp` }, 'modern');
  await mood('failing');
  await times(2, () => pay());
  await mood('silent');
  const running = pay('weather');
  await vi.waitFor(async () => expect(await mood()).toMatchObject({ weather: 1 }), PATIENCE);
  writeFileSync(pluginFile, signedBy('new'));
  await vi.waitFor(() => expect(serving.log()).toContain('plugins loaded'), PATIENCE);
  await mood('fine');

  expect((await running)._meta).toMatchObject({ signed: 'old' });
  expect((await pay('weather'))._meta).toMatchObject({ signed: 'new' });
  // A plugin whose entry stays the same keeps what it knows.
  expect(textOf(await pay())).toContain('so this call was not made');

  writeFileSync(pluginFile, 'plugins: [{ nam: x }]\n');
  await vi.waitFor(() => expect(serving.log()).toContain('stay as they were'), PATIENCE);
  expect((await pay('weather'))._meta).toMatchObject({ signed: 'new' });
  await serving.close();
});
