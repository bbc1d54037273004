import { Client as ClientV2, InMemoryTransport as PipeV2 } from '@modelcontextprotocol/client';
import { McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as PipeV1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as ServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { Circuits } from '@holdfast/core/guard';
import { guardHandler, guardServer } from '@holdfast/core/mcp';
import type { GuardServerOptions } from '@holdfast/core/mcp';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

interface Called {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** What the tools of these tests do, in the words of neither SDK. */
interface Behaviour {
  readonly run: (given: {
    readonly city: string;
    readonly signal: AbortSignal;
    readonly report: () => Promise<void>;
    readonly askUser: () => Promise<unknown>;
  }) => Promise<string>;
  readonly readOnlyHint?: boolean;
}

interface Served {
  readonly clock: ManualClock;
  readonly call: (options?: { readonly signal?: AbortSignal }) => Promise<Called>;
}

const ABOUT = { name: 'weather', version: '1.0.0' };
const INPUT = z.object({ city: z.string() });
const ASKED = {
  message: 'Which scale?',
  requestedSchema: { type: 'object' as const, properties: { scale: { type: 'string' as const } } },
};
const CALLED = { name: 'forecast', arguments: { city: 'Oslo' } };
const PROGRESS = {
  method: 'notifications/progress',
  params: { progressToken: 1, progress: 1 },
} as const;

async function serveV1(behaviour: Behaviour, options: GuardServerOptions): Promise<Served> {
  const clock = new ManualClock();
  const server = guardServer(new ServerV1(ABOUT), { clock, ...options });
  const { readOnlyHint = false } = behaviour;
  server.registerTool(
    'forecast',
    { inputSchema: INPUT, annotations: { readOnlyHint } },
    async ({ city }, extra) => {
      const text = await behaviour.run({
        city,
        signal: extra.signal,
        report: () => extra.sendNotification(PROGRESS),
        askUser: () =>
          extra.sendRequest({ method: 'elicitation/create', params: ASKED }, z.looseObject({})),
      });
      return { content: [{ type: 'text', text }] };
    },
  );
  const client = new ClientV1(ABOUT, { capabilities: { elicitation: {} } });
  client.fallbackRequestHandler = () => answerUser(clock);
  const [ours, theirs] = PipeV1.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  onTestFinished(() => client.close());
  return {
    clock,
    call: async (sdkOptions = {}) =>
      (await client.callTool(CALLED, undefined, sdkOptions)) as Called,
  };
}

async function serveV2(behaviour: Behaviour, options: GuardServerOptions): Promise<Served> {
  const clock = new ManualClock();
  const server = guardServer(new ServerV2(ABOUT), { clock, ...options });
  const { readOnlyHint = false } = behaviour;
  server.registerTool(
    'forecast',
    { inputSchema: INPUT, annotations: { readOnlyHint } },
    async ({ city }, { mcpReq }) => {
      const text = await behaviour.run({
        city,
        signal: mcpReq.signal,
        report: () => mcpReq.notify(PROGRESS),
        askUser: () => mcpReq.elicitInput(ASKED),
      });
      return { content: [{ type: 'text', text }] };
    },
  );
  const client = new ClientV2(ABOUT, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', () => answerUser(clock));
  const [ours, theirs] = PipeV2.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  onTestFinished(() => client.close());
  return { clock, call: (sdkOptions = {}) => client.callTool(CALLED, sdkOptions) };
}

/** A user who thinks for five minutes. */
async function answerUser(clock: ManualClock): Promise<{
  action: 'accept';
  content: Record<string, string>;
}> {
  await clock.advance(300_000);
  return { action: 'accept', content: { scale: 'celsius' } };
}

const SDKS = [
  { sdk: 'v1', serve: serveV1 },
  { sdk: 'v2', serve: serveV2 },
];

const textOf = ({ content }: Called): string => content.map(({ text = '' }) => text).join('\n');
const down = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));

describe.each(SDKS)('a guarded server of SDK $sdk', ({ serve }) => {
  it('answers as the tool does, and tells of its circuit', async () => {
    const { call } = await serve({ run: async ({ city }) => `Sunny in ${city}` }, {});

    const result = await call();

    expect(textOf(result)).toBe('Sunny in Oslo');
    expect(result._meta).toMatchObject({ circuit_calls_in_window: 1, circuit_failure_rate: 0 });
  });

  it('tells the model what is wrong, and spares what is down', async () => {
    let asked = 0;
    const run = (): Promise<never> => {
      asked++;
      return down();
    };
    const { call } = await serve({ run }, {});

    const first = await call();
    for (let failure = 0; failure < 4; failure++) await call();
    const refused = await call();

    expect(first.isError).toBe(true);
    expect(textOf(first)).toMatch(/^forecast failed \(transport\): connect ECONNREFUSED\. /);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('Do not call forecast again before ');
    expect(refused._meta).toMatchObject({ circuit_retry_after_seconds: 60 });
    expect(asked).toBe(5);
  });

  it('asks again what only reads, and nothing else', async () => {
    const asked: boolean[] = [];
    const flaky = (readOnlyHint: boolean): Behaviour => ({
      readOnlyHint,
      run: () => {
        asked.push(readOnlyHint);
        return asked.length === 1 ? down() : Promise.resolve('Sunny');
      },
    });
    const reading = await serve(flaky(true), {});
    const called = reading.call();
    await new Promise((resolve) => setImmediate(resolve));
    await reading.clock.advance(500);
    expect(textOf(await called)).toBe('Sunny');

    asked.length = 0;
    const changing = await serve(flaky(false), {});
    expect((await changing.call()).isError).toBe(true);
    expect(asked).toEqual([false]);
  });

  it('tells a tool that is silent for too long to stop, and gives one that reports its time anew', async () => {
    let signal: AbortSignal | undefined;
    let report = (): Promise<void> => Promise.resolve();
    const began = { resolve: (): void => undefined };
    const hasBegun = new Promise<void>((resolve) => (began.resolve = resolve));
    const { clock, call } = await serve(
      {
        run: (given) => {
          ({ signal, report } = given);
          began.resolve();
          return new Promise(() => undefined);
        },
      },
      { timeoutMs: 10_000 },
    );

    const called = call();
    await hasBegun;
    await clock.advance(9_000);
    await report();
    await clock.advance(9_000);
    expect(signal?.aborted).toBe(false);
    await clock.advance(1_000);

    expect(textOf(await called)).toContain('no answer within 10000 ms');
    expect(signal?.aborted).toBe(true);
  });

  it('counts no time while the user is asked', async () => {
    const run: Behaviour['run'] = async ({ askUser }) => JSON.stringify(await askUser());
    const { call } = await serve({ run }, { timeoutMs: 10_000 });

    expect(textOf(await call())).toContain('celsius');
  });

  it('passes on that the client took the call back, which counts for nothing', async () => {
    const controller = new AbortController();
    const circuits = new Circuits();
    const stopped = new Promise((resolve) => {
      void serve(
        {
          run: ({ signal }) => {
            signal.addEventListener('abort', () => resolve(signal.reason));
            controller.abort(new Error('enough'));
            return new Promise(() => undefined);
          },
        },
        { circuits },
      ).then(({ call }) => call({ signal: controller.signal }).catch(() => undefined));
    });

    expect(String(await stopped)).toContain('enough');
    expect(circuits.get('forecast').metrics().failures).toBe(0);
  });
});

describe('guardHandler', () => {
  it('keeps the types of the handler it is given', async () => {
    const server = new ServerV2(ABOUT);
    const clock = new ManualClock();
    server.registerTool(
      'forecast',
      { inputSchema: INPUT },
      guardHandler('forecast', ({ city }) => ({ content: [{ type: 'text', text: city.trim() }] }), {
        clock,
      }),
    );
    const noArguments = guardHandler('now', ({ signal }: { readonly signal: AbortSignal }) => ({
      content: [{ type: 'text' as const, text: String(signal.aborted) }],
    }));

    expect(await noArguments({ signal: new AbortController().signal })).toMatchObject({
      content: [{ type: 'text', text: 'false' }],
    });
  });

  it('passes on errors that only ask the client for something', async () => {
    const circuits = new Circuits();
    const handler = guardHandler(
      'pay',
      () => Promise.reject(new McpError(-32_042, 'open a page')),
      {
        circuits,
      },
    );

    await expect(handler()).rejects.toThrow('open a page');
    expect(circuits.get('pay').metrics().failures).toBe(0);
  });

  it('refuses what cannot work', () => {
    // @ts-expect-error -- no function
    expect(() => guardHandler('pay', 'charge')).toThrow('handler: expected a function');
    expect(() => guardHandler('', () => undefined)).toThrow('name: expected a string');
    expect(() => guardServer(new ServerV2(ABOUT), { maxDurationMs: -1 })).toThrow('maxDurationMs');
  });
});
