import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { ManualClock } from '@holdfast/core/testing';
import { guardClient } from '@holdfast/core/mcp';
import type { GuardClientOptions } from '@holdfast/core/mcp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { root } from './support/repository.ts';

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (progress: { readonly progress: number }) => void;
}

/** A guarded client of either SDK, connected to a server of the same one in a process of its own. */
interface Shop {
  readonly client: ClientV1 | ClientV2;
  readonly clock: ManualClock;
  readonly listTools: () => Promise<unknown>;
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<Called>;
  /** What answers when the server asks the user. */
  readonly onElicit: (answer: () => Promise<Record<string, boolean>>) => void;
}

/** A connection, which many guards can share one after the other. */
interface Connection {
  guard(options: GuardClientOptions): Shop;
  close(): Promise<void>;
}

const SERVER = join(root, 'test', 'support', 'shop-server.mjs');
const ABOUT = { name: 'agent', version: '1.0.0' };
const CAPABILITIES = { capabilities: { elicitation: {} } };
const startOf = (version: string): { command: string; args: string[] } => ({
  command: process.execPath,
  args: [SERVER, version],
});

async function connectV1(): Promise<Connection> {
  const bare = new ClientV1(ABOUT, CAPABILITIES);
  await bare.connect(new StdioV1(startOf('v1')));
  return {
    close: () => bare.close(),
    guard: (options) => {
      const clock = new ManualClock();
      const client = guardClient(bare, { clock, ...options });
      return {
        client,
        clock,
        listTools: () => client.listTools(),
        call: async (name, args = {}, sdkOptions = {}) =>
          (await client.callTool({ name, arguments: args }, undefined, sdkOptions)) as Called,
        onElicit: (answer) => {
          client.setRequestHandler(ElicitRequestSchema, async () => ({
            action: 'accept',
            content: await answer(),
          }));
        },
      };
    },
  };
}

const connectV2 = (mode: 'legacy' | { readonly pin: string }) => async (): Promise<Connection> => {
  const bare = new ClientV2(ABOUT, { ...CAPABILITIES, versionNegotiation: { mode } });
  await bare.connect(new StdioV2(startOf('v2')));
  return {
    close: () => bare.close(),
    guard: (options) => {
      const clock = new ManualClock();
      const client = guardClient(bare, { clock, ...options });
      return {
        client,
        clock,
        listTools: () => client.listTools(),
        call: (name, args = {}, sdkOptions = {}) =>
          client.callTool({ name, arguments: args }, sdkOptions),
        onElicit: (answer) => {
          client.setRequestHandler('elicitation/create', async () => ({
            action: 'accept',
            content: await answer(),
          }));
        },
      };
    },
  };
};

const SDKS = [
  { sdk: 'v1', connect: connectV1, asksByRequest: true },
  { sdk: 'v2, before 2026-07-28', connect: connectV2('legacy'), asksByRequest: true },
  { sdk: 'v2, of 2026-07-28', connect: connectV2({ pin: '2026-07-28' }), asksByRequest: false },
];

const textOf = ({ content }: Called): string => content.map(({ text = '' }) => text).join('\n');

/** How often the tools were really called. */
const counts = async ({ call }: Shop): Promise<unknown> => JSON.parse(textOf(await call('calls')));

const CLOSED = {
  circuit_calls_in_window: 1,
  circuit_failures_in_window: 0,
  circuit_failure_rate: 0,
  circuit_consecutive_failures: 0,
  circuit_open_until: 0,
  circuit_half_open: false,
  circuit_retry_after_seconds: 0,
};

describe.each(SDKS)('a guarded client of SDK $sdk', ({ sdk, connect, asksByRequest }) => {
  let connection: Connection;

  beforeAll(async () => {
    connection = await connect();
  });

  afterAll(() => connection.close());

  async function open(options: GuardClientOptions): Promise<Shop> {
    await connection.guard({}).call('forget');
    return connection.guard(options);
  }

  it('passes on what a tool answers, and tells of its circuit', async () => {
    const shop = await open({});
    await shop.listTools();

    const result = await shop.call('price', { item: 'apples', count: 4 });

    expect(result).toMatchObject({
      content: [{ type: 'text', text: '4 apples' }],
      structuredContent: { cents: 1000 },
    });
    expect(result._meta).toMatchObject(CLOSED);
    expect(result._meta).not.toHaveProperty('holdfast/repairs');
    expect(result.isError).not.toBe(true);
  });

  it('is still a client, and what is set on it is set', async () => {
    const { client } = await open({});
    const onerror = (): void => undefined;
    client.onerror = onerror;

    expect(client instanceof ClientV1 || client instanceof ClientV2).toBe(true);
    expect(client.onerror).toBe(onerror);
    expect(client.getServerVersion()).toMatchObject({ name: 'shop' });
  });

  it('sets arguments right by the schema, and says so', async () => {
    const shop = await open({});
    await shop.listTools();

    const result = await shop.call('price', { item: 'apples', count: '4' });

    expect(result).toMatchObject({ structuredContent: { cents: 1000 } });
    expect(result._meta).toMatchObject({ 'holdfast/repairs': ['count: "4" is 4'] });
  });

  it('answers a call whose arguments do not fit without asking the server', async () => {
    const shop = await open({});
    await shop.listTools();

    const result = await shop.call('price', { item: 'apples' });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('count is missing');
    expect(await counts(shop)).toEqual({ calls: 1 });
  });

  it('refuses calls of a tool that keeps failing, and of no other', async () => {
    const shop = await open({ advisor: false });
    for (let failure = 0; failure < 5; failure++) {
      expect(await shop.call('refund')).toMatchObject({ isError: true });
    }

    const refused = await shop.call('refund');

    expect(refused).toMatchObject({ isError: true });
    expect(textOf(refused)).toMatch(/^refund was not called: it has failed too often\. /);
    expect(textOf(refused)).toMatch(/Do not call refund again before \S+ \(in 60 s\)\.$/);
    expect(refused._meta).toMatchObject({
      circuit_consecutive_failures: 5,
      circuit_failure_rate: 1,
      circuit_retry_after_seconds: 60,
    });
    expect(await counts(shop)).toEqual({ refund: 5, calls: 1 });

    await shop.clock.advance(60_000);
    expect((await shop.call('refund'))._meta).toMatchObject({ circuit_half_open: true });
    expect(await counts(shop)).toEqual({ refund: 6, calls: 2 });
  });

  it('adds advice as one more text and leaves the rest as it came', async () => {
    const shop = await open({});
    const first = await shop.call('weigh');
    const second = await shop.call('weigh');

    expect(first.content).toEqual([{ type: 'text', text: 'I lost my scales' }]);
    expect(second.content).toHaveLength(2);
    expect(second.content[0]).toEqual({ type: 'text', text: 'I lost my scales' });
    expect(second.content[1]?.text).toMatch(/^⚠️ Tool guidance: /);
    expect(second.structuredContent).toEqual({ grams: 0 });
  });

  if (sdk === 'v1')
    it('does not blame the arguments for a result that does not fit', async () => {
      const shop = await open({ advisor: false });
      await shop.listTools();

      expect(textOf(await shop.call('lie'))).toMatch(
        /^lie failed \(server\): Structured content does not match the tool's output schema/,
      );
    });

  it('asks a read-only tool that is silent once more', async () => {
    const shop = await open({});
    await shop.listTools();

    const asked = shop.call('stock');
    await shop.clock.advance(60_000);
    await shop.clock.advance(500);

    expect(textOf(await asked)).toBe('7 left');
    expect(await counts(shop)).toEqual({ stock: 2, calls: 1 });
  });

  it.each([
    { name: 'pay', options: {} },
    { name: 'stock', options: { trustAnnotations: false } },
    { name: 'stock', options: { retry: false as const } },
  ])('gives up on $name with $options when it is silent, and says why', async (given) => {
    const shop = await open(given.options);
    await shop.listTools();

    const asked = shop.call(given.name);
    await shop.clock.advance(60_000);
    await shop.clock.advance(5_000);

    const result = await asked;
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain(`${given.name}: no answer within 60000 ms`);
    expect(textOf(result)).toContain('it may have done its work all the same');
    expect(await counts(shop)).toEqual({ [given.name]: 1, calls: 1 });
  });

  it('asks a tool twice that the caller says may be', async () => {
    const shop = await open({ idempotentTools: ['pay'], trustAnnotations: false });
    const asked = shop.call('pay');
    await shop.clock.advance(60_000);
    await shop.clock.advance(500);

    expect(textOf(await asked)).toBe('paid');
  });

  it('lets a call go on as long as it reports progress', async () => {
    const shop = await open({ timeoutMs: 60_000 });
    const told: number[] = [];
    let heard = (): void => undefined;
    const onprogress = ({ progress }: { readonly progress: number }): void => {
      told.push(progress);
      heard();
    };
    const counted = shop.call('count', {}, { onprogress });
    for (let step = 0; step < 2; step++) {
      const progress = new Promise<void>((resolve) => (heard = resolve));
      await shop.clock.advance(50_000);
      await shop.call('step');
      await progress;
    }
    await shop.clock.advance(50_000);
    await shop.call('step');

    expect(textOf(await counted)).toBe('counted');
    expect(told.slice(0, 2)).toEqual([1, 2]);
  });

  it('keeps to the timeout that a call has of its own', async () => {
    const shop = await open({});
    const asked = shop.call('pay', {}, { timeout: 2_000 });
    await shop.clock.advance(2_000);

    expect(textOf(await asked)).toContain('no answer within 2000 ms');
  });

  it('rejects with the reason of a caller who takes the call back, which counts for nothing', async () => {
    const shop = await open({ advisor: false });
    const controller = new AbortController();
    const order = { item: 'apples', count: 4 };
    const asked = shop.call('price', order, { signal: controller.signal });
    controller.abort(new Error('the user left'));

    await expect(asked).rejects.toThrow('the user left');
    expect((await shop.call('price', order))._meta).toMatchObject(CLOSED);
  });

  it('answers with a result when the server ends', async () => {
    const own = await connect();
    onTestFinished(() => own.close());
    const shop = own.guard({ retry: false });
    const result = await shop.call('quit');

    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toMatch(/^quit failed \(transport\): /);
    expect(textOf(await shop.call('price'))).toMatch(/^price failed \(transport\): /);
  });

  if (asksByRequest)
    it('counts no time while the user is asked', async () => {
      const shop = await open({});
      let answer = (_content: Record<string, boolean>): void => undefined;
      const isAsked = new Promise<void>((asked) => {
        shop.onElicit(() => {
          asked();
          return new Promise((resolve) => (answer = resolve));
        });
      });
      const called = shop.call('ask');
      await isAsked;
      await shop.clock.advance(300_000);
      answer({ wrap: true });

      expect(textOf(await called)).toBe('wrapped: true');
    });
});

describe('guardClient', () => {
  it('refuses what is no client, and options that cannot work', () => {
    const bare = new ClientV2(ABOUT);

    // @ts-expect-error -- no client
    expect(() => guardClient({})).toThrow('client.callTool: expected a function');
    expect(() => guardClient(bare, { timeoutMs: 0 })).toThrow(
      'guardClient.timeoutMs: expected milliseconds, at least 1, got 0',
    );
    expect(() => guardClient(bare, { timeoutMs: 20, maxDurationMs: 10 })).toThrow(
      'guardClient.maxDurationMs: expected at least timeoutMs, which is 20, got 10',
    );
    expect(() => guardClient(bare, { toolTimeoutsMs: { search: -1 } })).toThrow(
      'expected milliseconds, at least 1 for search',
    );
    expect(() => guardClient(bare, { retry: { maxRetries: -1 } })).toThrow('retry.maxRetries');
    // @ts-expect-error -- no such option
    expect(() => guardClient(bare, { timeout: 5 })).toThrow('an option that exists');
  });
});
