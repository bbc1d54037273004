import { describe, expect, test } from 'vitest';
import { Advisor } from '../advise/advisor.ts';
import type { GuardEvent } from '../guard/guard-event.ts';
import { parseToolCalls } from '../parse/parse-tool-calls.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import type { ToolCall } from '../types.ts';
import { guardTool } from './guard-tool.ts';
import { createToolRunner } from './tool-runner.ts';
import type { ToolRunnerOptions } from './tool-runner.ts';
import type { Tool, ToolContext } from './tool.ts';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const;

const weather = (execute: Tool['execute'], more: Partial<Tool> = {}): Tool => ({
  name: 'get_weather',
  description: 'Weather of a city',
  parameters,
  execute,
  ...more,
});

function call(args: ToolCall['arguments'], more: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'call_1',
    name: 'get_weather',
    arguments: args,
    format: 'test',
    repairs: [],
    complete: true,
    lossy: false,
    ...more,
  };
}

function setUp(tool: Tool, options: Partial<ToolRunnerOptions> = {}) {
  const clock = new ManualClock();
  const events: GuardEvent[] = [];
  const runner = createToolRunner({
    tools: [tool],
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { clock, runner, events };
}

const SEVEN = [
  'circuit_calls_in_window',
  'circuit_failures_in_window',
  'circuit_failure_rate',
  'circuit_consecutive_failures',
  'circuit_open_until',
  'circuit_half_open',
  'circuit_retry_after_seconds',
];

const down = (): Promise<never> =>
  Promise.reject(Object.assign(new Error('down'), { status: 503 }));

describe('ToolRunner', () => {
  test('runs the calls of a model answer, with what check had set right', async () => {
    const seen: unknown[] = [];
    const { runner } = setUp(weather((args) => (seen.push(args), 'sunny')));
    const { calls } = parseToolCalls(
      '<tool_call>{"name": "getWeather", "arguments": {"City": "Paris", "days": "3"}}</tool_call>',
    );
    const outcomes = await runner.runAll(calls);
    expect(outcomes).toMatchObject([
      { ok: true, value: 'sunny', attempts: 1, call: { name: 'get_weather' } },
    ]);
    expect(seen).toEqual([{ city: 'Paris', days: 3 }]);
  });

  test('gives the tool its signal, its attempt and the id of the call', async () => {
    let context: ToolContext | undefined;
    const { runner } = setUp(
      weather((_, given) => {
        context = given;
        return 'ok';
      }),
    );
    await runner.run(call({ city: 'Rome' }));
    expect(context).toMatchObject({ attempt: 1, callId: 'call_1', toolName: 'get_weather' });
    expect(context?.signal.aborted).toBe(false);
  });

  test('does not run a tool on arguments that do not fit, and says what would', async () => {
    let runs = 0;
    const { runner } = setUp(weather(() => runs++));
    const outcome = await runner.run(call({ days: 'many' }));
    expect(outcome).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { class: 'invalid-arguments' },
    });
    const issues = outcome.ok ? [] : (outcome.issues ?? []);
    expect(issues.map(({ code }) => code)).toContain('missing-argument');
    expect(outcome.ok ? '' : outcome.message).toMatch(/city/);
    expect(runs).toBe(0);
  });

  test('names the tools there are when the model makes one up', async () => {
    const { runner } = setUp(weather(() => 'ok'));
    const outcome = await runner.run(call({}, { name: 'forecast' }));
    expect(outcome).toMatchObject({ ok: false, failure: { class: 'not-found' } });
    expect(outcome.ok ? '' : outcome.message).toContain('get_weather');
  });

  test.each([{ complete: false }, { lossy: true }])(
    'runs a call with %j only on a tool that only reads',
    async (doubt) => {
      const careful = setUp(weather(() => 'ran'));
      const outcome = await careful.runner.run(call({ city: 'Oslo' }, doubt));
      expect(outcome).toMatchObject({ ok: false, failure: { class: 'invalid-arguments' } });
      const reader = setUp(weather(() => 'ran', { annotations: { readOnlyHint: true } }));
      expect(await reader.runner.run(call({ city: 'Oslo' }, doubt))).toMatchObject({ ok: true });
      const annotations = { readOnlyHint: true, destructiveHint: true };
      const contradicting = setUp(weather(() => 'ran', { annotations }));
      expect((await contradicting.runner.run(call({ city: 'Oslo' }, doubt))).ok).toBe(false);
    },
  );

  test('refuses calls of an open circuit with the time and what to do instead', async () => {
    const { runner, clock } = setUp(weather(down));
    for (let failure = 0; failure < 5; failure++) await runner.run(call({ city: 'Rome' }));
    await clock.advance(18_000);
    const refused = await runner.run(call({ city: 'Rome' }));
    expect(refused).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { class: 'refused' },
      retryAfterMs: 42_000,
      metadata: {
        circuit_retry_after_seconds: 42,
        circuit_open_until: Date.UTC(2026, 0, 1, 0, 1) / 1000,
        circuit_half_open: false,
      },
    });
    expect(refused.ok ? '' : refused.message).toMatch(
      /Do not call get_weather again before 2026-01-01T00:01:00\.000Z \(in 42 s\)/,
    );
  });

  test('puts all seven circuit fields on every result, success, failure and refusal alike', async () => {
    let isDown = false;
    const { runner, clock } = setUp(weather(() => (isDown ? down() : 'ok')));
    const outcomes = [await runner.run(call({ city: 'Rome' }))];
    isDown = true;
    for (let failure = 0; failure < 6; failure++)
      outcomes.push(await runner.run(call({ city: 'Rome' })));
    outcomes.push(await runner.run(call({})));
    for (const { metadata } of outcomes) expect(Object.keys(metadata)).toEqual(SEVEN);
    expect(outcomes[0]?.metadata).toMatchObject({
      circuit_open_until: 0,
      circuit_half_open: false,
    });
    await clock.advance(60_000);
    isDown = false;
    expect((await runner.run(call({ city: 'Rome' }))).metadata.circuit_half_open).toBe(true);
  });

  test.each([
    ['nothing is said', {}, undefined, 1],
    ['it only reads', { readOnlyHint: true }, undefined, 3],
    ['it is idempotent', { idempotentHint: true }, undefined, 3],
    [
      'it destroys what it only reads',
      { readOnlyHint: true, destructiveHint: true, idempotentHint: true },
      { maxRetries: 1 },
      1,
    ],
    ['the runner says so', {}, { maxRetries: 1 }, 2],
    [
      'it is destructive, whatever the runner says',
      { destructiveHint: true },
      { maxRetries: 1 },
      1,
    ],
    ['it is not idempotent', { idempotentHint: false }, { maxRetries: 1 }, 1],
    ['the runner says never', { readOnlyHint: true }, false, 1],
  ] as const)('retries as it may when %s', async (_, annotations, retry, attempts) => {
    let made = 0;
    const tool = weather(() => (made++, down()), { annotations });
    const { runner, clock } = setUp(tool, retry === undefined ? {} : { retry });
    const running = runner.run(call({ city: 'Rome' }));
    await clock.advance(10_000);
    await running;
    expect(made).toBe(attempts);
  });

  test('returns what a tool returned as an error, and counts it', async () => {
    const result = { isError: true, content: [{ type: 'text', text: 'disk is on fire' }] };
    const { runner } = setUp(weather(() => result));
    const outcome = await runner.run(call({ city: 'Rome' }));
    expect(outcome).toMatchObject({
      ok: false,
      value: result,
      failure: { class: 'tool-error' },
      metadata: { circuit_consecutive_failures: 1 },
    });
    expect(outcome.ok ? '' : outcome.message).toContain('disk is on fire');
  });

  test('takes the timeout of the tool before its own', async () => {
    const tool = weather(() => new Promise(() => {}), { timeoutMs: 1000 });
    const { runner, clock } = setUp(tool, { timeoutMs: 60_000 });
    const running = runner.run(call({ city: 'Rome' }));
    await clock.advance(1050);
    expect(await running).toMatchObject({ ok: false, failure: { class: 'timeout' } });
  });

  test('lets the siblings of a failing tool run', async () => {
    const tools: Tool[] = ['search', 'write'].map((name) => ({
      name,
      server: 'github',
      execute: () => (name === 'write' ? { isError: true, content: [] } : 'found'),
    }));
    const runner = createToolRunner({ tools, clock: new ManualClock() });
    for (let failure = 0; failure < 10; failure++) await runner.run(call({}, { name: 'write' }));
    expect(await runner.run(call({}, { name: 'write' }))).toMatchObject({
      failure: { class: 'refused' },
    });
    expect(await runner.run(call({}, { name: 'search' }))).toMatchObject({ ok: true });
  });

  test('adds the advice of an advisor to the second failure in a row', async () => {
    const { runner } = setUp(weather(down), { advisor: new Advisor() });
    const first = await runner.run(call({ city: 'Rome' }));
    expect(first.advice).toBeUndefined();
    const second = await runner.run(call({ city: 'Oslo' }));
    expect(second.advice?.text).toMatch(/^⚠️ Tool guidance: /);
  });

  test('does not run what the advisor of the conversation vetoes', async () => {
    let runs = 0;
    const broken = (): Promise<never> => {
      runs++;
      return Promise.reject(new Error('no such city: Atlantis'));
    };
    const { runner } = setUp(weather(broken));
    const advisor = new Advisor({ veto: 'on' });
    const outcomes = [];
    for (let time = 0; time < 4; time++)
      outcomes.push(await runner.run(call({ city: 'Atlantis' }), { advisor }));
    expect(outcomes.at(-1)).toMatchObject({
      ok: false,
      attempts: 0,
      failure: { class: 'refused', code: 'vetoed' },
    });
    expect(runs).toBeLessThan(4);
    // Another conversation is not concerned.
    expect(await runner.run(call({ city: 'Atlantis' }))).toMatchObject({ attempts: 1 });
  });

  test.each([
    [{ tools: 'none' }, 'runner.tools'],
    [{ tools: [], advisor: {} }, 'runner.advisor'],
    [{ tools: [], timeoutMs: 0 }, 'runner.timeoutMs'],
    [{ tools: [], circuits: {} }, 'runner.circuits'],
    [
      { tools: [weather(() => 1), weather(() => 2)] },
      'tools[1].name: expected a name that no other tool has',
    ],
    [{ tools: [weather(() => 1, { retry: { maxRetries: -1 } })] }, 'retry.maxRetries'],
    [{ tools: [], nonsense: 1 }, 'runner.nonsense'],
  ])('names what cannot work in options %#', (options, named) => {
    expect(() => createToolRunner(options as never)).toThrow(named);
  });
});

describe('guardTool', () => {
  test('guards one tool', async () => {
    const clock = new ManualClock();
    const guarded = guardTool(weather(down), { clock });
    for (let failure = 0; failure < 5; failure++) await guarded.run({ city: 'Rome' });
    expect(await guarded.run({ city: 'Rome' })).toMatchObject({ failure: { class: 'refused' } });
  });
});

describe('numbers with more digits than a double holds', () => {
  const DIGITS = '9007199254740993';
  const read = (args: string): ToolCall => {
    const text = `<tool_call>{"name":"get_weather","arguments":${args}}</tool_call>`;
    const [first] = parseToolCalls(text).calls;
    if (first === undefined) throw new Error('no call was read');
    return first;
  };

  test('reach the tool in the text of the arguments', async () => {
    const texts: (string | undefined)[] = [];
    const { runner } = setUp(weather((_, context) => texts.push(context.argumentsText)));
    await runner.run(read(`{"city": "Oslo", "days": ${DIGITS}}`));
    await runner.run(read('{"city": "Oslo", "days": "2"}'));
    expect(texts).toEqual([`{"city": "Oslo", "days": ${DIGITS}}`, undefined]);
  });

  test('reach the tool as a string where the schema says string', async () => {
    const { runner } = setUp(weather((args) => args['city']));
    expect(await runner.run(read(`{"city": ${DIGITS}}`))).toMatchObject({
      ok: true,
      value: DIGITS,
    });
  });

  test.each([true, false])(
    'are not run where they were lost, and the parameter is named (check: %s)',
    async (check) => {
      const { runner } = setUp(
        weather(() => 'ran'),
        { check },
      );
      const lost = call({ city: 'Oslo', days: DIGITS }, { lossy: true });
      const outcome = await runner.run(lost);
      expect(outcome).toMatchObject({ ok: false, failure: { class: 'invalid-arguments' } });
      expect(!outcome.ok && outcome.message).toContain('days');
    },
  );
});
