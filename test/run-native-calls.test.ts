import type Anthropic from '@anthropic-ai/sdk';
import { createToolRunner, guardTool } from '@holdfast/core';
import type { RunnableCall, ToolOutcome } from '@holdfast/core';
import type { ToolSet, TypedToolCall } from 'ai';
import fc from 'fast-check';
import type OpenAI from 'openai';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const;

const runner = createToolRunner({
  tools: [
    {
      name: 'get_weather',
      parameters,
      execute: ({ city, days = 1 }, { callId }) => ({ city, days, callId }),
    },
    { name: 'now', annotations: { readOnlyHint: true }, execute: () => '12:00' },
    { name: 'shell', execute: ({ input }) => input },
  ],
});
const args = { city: 'Rome', days: 3 };
const json = JSON.stringify(args);

const said = (outcome: ToolOutcome): unknown => (outcome.ok ? outcome.value : outcome.failure);

/** As the types of the official SDKs have them. */
const openai: OpenAI.Chat.ChatCompletionMessageToolCall = {
  id: 'call_abc',
  type: 'function',
  function: { name: 'get_weather', arguments: json },
};
const responses: OpenAI.Responses.ResponseFunctionToolCall = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_abc',
  name: 'get_weather',
  arguments: json,
};
const anthropic: Pick<Anthropic.ToolUseBlock, 'type' | 'id' | 'name' | 'input'> = {
  type: 'tool_use',
  id: 'call_abc',
  name: 'get_weather',
  input: args,
};
const aiSdk = {
  type: 'tool-call',
  toolCallId: 'call_abc',
  toolName: 'get_weather',
  input: args,
} as const;

describe('a runner', () => {
  it.each<[string, RunnableCall]>([
    ['OpenAI Chat Completions', openai],
    ['OpenAI Responses', responses],
    ['Anthropic', anthropic],
    ['the AI SDK', aiSdk],
    ['the AI SDK as its models return them', { ...aiSdk, input: json }],
    ['a name and arguments', { id: 'call_abc', name: 'get_weather', arguments: args }],
    ['a name and JSON', { id: 'call_abc', name: 'get_weather', arguments: json }],
    [
      'a name and JSON in JSON',
      { id: 'call_abc', name: 'GetWeather', arguments: JSON.stringify(json) },
    ],
  ])('runs calls in the shape of %s', async (_shape, call) => {
    const outcome = await runner.run(call);
    expect(said(outcome)).toEqual({ ...args, callId: 'call_abc' });
    expect(outcome.call).toMatchObject({ id: 'call_abc', name: 'get_weather', arguments: args });
  });

  it('takes the calls that SDKs return without a cast', () => {
    expectTypeOf<OpenAI.Chat.ChatCompletionMessageToolCall>().toExtend<RunnableCall>();
    expectTypeOf<OpenAI.Responses.ResponseFunctionToolCall>().toExtend<RunnableCall>();
    expectTypeOf<Anthropic.ToolUseBlock>().toExtend<RunnableCall>();
    expectTypeOf<TypedToolCall<ToolSet>>().toExtend<RunnableCall>();
  });

  it('gives a call without an id a new one', async () => {
    const outcome = await runner.run({ name: 'now' });
    expect(said(outcome)).toBe('12:00');
    expect(outcome.call).toMatchObject({
      name: 'now',
      arguments: {},
      complete: true,
      lossy: false,
    });
    expect(outcome.call.id).toMatch(/^call_/);
  });

  it('runs the text of a custom tool call as its input', async () => {
    const custom = {
      id: 'call_abc',
      type: 'custom',
      custom: { name: 'shell', input: 'ls' },
    } as const;
    const item = {
      type: 'custom_tool_call',
      call_id: 'call_abc',
      name: 'shell',
      input: 'ls',
    } as const;
    expect(said(await runner.run(custom))).toBe('ls');
    expect(said(await runner.run(item))).toBe('ls');
  });

  it('keeps the digits of arguments given as JSON', async () => {
    const pay = createToolRunner({
      tools: [{ name: 'pay', execute: (_args, { argumentsText }) => argumentsText }],
    });
    const text = '{"to": 12345678901234567890}';
    expect(said(await pay.run({ name: 'pay', arguments: text }))).toBe(text);
  });

  it.each(['', '  ', 'null', null, undefined])('takes arguments %j for none', async (given) => {
    expect(said(await runner.run({ name: 'now', arguments: given }))).toBe('12:00');
  });

  it('repairs arguments that are broken JSON', async () => {
    const { call } = await runner.run({ name: 'get_weather', arguments: "{'city': 'Rome',}" });
    expect(call.arguments).toEqual({ city: 'Rome' });
    expect(call.repairs).toContain('single-quotes');
  });

  it.each(['{"city": "Ro', '{"city": "Rome"'])('does not run the cut arguments %s', async (cut) => {
    expect(said(await runner.run({ name: 'get_weather', arguments: cut }))).toMatchObject({
      class: 'invalid-arguments',
    });
  });

  it.each([
    undefined,
    null,
    'get_weather',
    7,
    [],
    {},
    { name: '' },
    { name: 7 },
    { function: null },
    { function: { arguments: '{}' } },
    { toolName: {} },
    { name: 'get_weather', arguments: [1] },
    { name: 'get_weather', arguments: 7 },
    { name: 'get_weather', arguments: 'Rome, please' },
    { name: 'get_weather', arguments: '"Rome"' },
    { name: '__proto__', arguments: '{"__proto__": 1}' },
  ])('fails without rejecting for what is no valid call: %o', async (given) => {
    const call = given as RunnableCall;
    const outcome = await runner.run(call);
    expect(outcome).toMatchObject({ ok: false, attempts: 0 });
    if (!outcome.ok) expect(outcome.message).not.toBe('');
    expect(await runner.runAll([call, aiSdk])).toMatchObject([{ ok: false }, { ok: true }]);
  });

  it.each(['arguments', 'a call'])(
    'fails without rejecting for %s that cannot be read',
    async (what) => {
      const hostile = new Proxy({}, { get: boom, ownKeys: boom });
      const call = what === 'a call' ? hostile : { name: 'get_weather', arguments: hostile };
      const outcome = await runner.run(call as RunnableCall);
      expect(outcome).toMatchObject({ ok: false, failure: { class: 'invalid-arguments' } });
    },
  );

  it('never rejects because of a call, whatever it is', async () => {
    const key = fc.constantFrom('name', 'arguments', 'input', 'function', 'type', 'id', 'toolName');
    const record = fc.dictionary(key, fc.anything());
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.anything(), record), async (given) => {
        const [outcome] = await runner.runAll([given as RunnableCall]);
        expect(typeof outcome?.ok).toBe('boolean');
      }),
    );
  });

  it('says what a call must look like', async () => {
    const outcome = await runner.run('get_weather' as unknown as RunnableCall);
    expect(outcome.ok ? '' : outcome.failure.message).toBe(
      'not a tool call: expected { name, arguments }, a tool call of OpenAI or the AI SDK, or a tool_use block of Anthropic; received the string "get_weather"',
    );
  });

  it.each([undefined, null, []])('runs no call for %j', async (none) => {
    expect(await runner.runAll(none)).toEqual([]);
  });
});

function boom(): never {
  throw new Error('boom');
}

describe('a Standard Schema', () => {
  const forecast = z.object({
    city: z.string().min(2),
    days: z.int().default(1),
    unit: z.enum(['c', 'f']).optional(),
    at: z
      .string()
      .transform((text) => text.length)
      .optional(),
  });

  it('gives execute typed arguments, with defaults and transforms', async () => {
    const typed = createToolRunner({
      tools: [
        {
          name: 'forecast',
          parameters: forecast,
          execute: ({ city, days, at }, { signal }) => {
            expectTypeOf(city).toEqualTypeOf<string>();
            expectTypeOf(days).toEqualTypeOf<number>();
            expectTypeOf(at).toEqualTypeOf<number | undefined>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            return { city, days, at };
          },
        },
        {
          name: 'anthropic',
          input_schema: z.object({ x: z.boolean() }),
          execute: ({ x }) => {
            expectTypeOf(x).toEqualTypeOf<boolean>();
            return x;
          },
        },
        { name: 'plain', parameters, execute: ({ city }) => city },
      ],
    });
    const outcome = await typed.run({ name: 'forecast', arguments: { city: 'Rome', at: 'noon' } });
    expect(said(outcome)).toEqual({ city: 'Rome', days: 1, at: 4 });
    expect(said(await typed.run({ name: 'anthropic', arguments: { x: 'true' } }))).toBe(true);
    expect(said(await typed.run({ name: 'plain', arguments: { city: 'Rome' } }))).toBe('Rome');
  });

  it('gives them in a record of tools and in guardTool too', async () => {
    const record = createToolRunner({
      tools: {
        double: {
          inputSchema: z.object({ n: z.number() }),
          execute: ({ n }) => {
            expectTypeOf(n).toEqualTypeOf<number>();
            return n * 2;
          },
        },
      },
    });
    expect(said(await record.run({ name: 'double', arguments: { n: '4' } }))).toBe(8);
    const guarded = guardTool({
      name: 'double',
      parameters: z.object({ n: z.number().default(3) }),
      execute: ({ n }) => n * 2,
    });
    expect(said(await guarded.run({}))).toBe(6);
  });

  it('refuses arguments that its refinements refuse, and does not run the tool', async () => {
    let runs = 0;
    const even = z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') });
    const later = z.object({
      n: z.number().refine((n) => Promise.resolve(n % 2 === 0), 'must be even'),
    });
    for (const schema of [even, later]) {
      const strict = createToolRunner({
        tools: [{ name: 'half', parameters: schema, execute: ({ n }) => (runs++, n / 2) }],
      });
      const outcome = await strict.run({ name: 'half', arguments: { n: 3 } });
      expect(outcome).toMatchObject({
        ok: false,
        attempts: 0,
        failure: { class: 'invalid-arguments' },
        issues: [{ path: ['n'] }],
      });
      expect(outcome.ok ? '' : outcome.message).toContain('must be even');
      expect(said(await strict.run({ name: 'half', arguments: { n: 4 } }))).toBe(2);
    }
    expect(runs).toBe(2);
  });

  it('fails the call when its transform throws', async () => {
    const broken = createToolRunner({
      tools: [
        {
          name: 'x',
          parameters: z.object({ n: z.number().transform((): number => boom()) }),
          execute: ({ n }) => n,
        },
      ],
    });
    const outcome = await broken.run({ name: 'x', arguments: { n: 3 } });
    expect(outcome).toMatchObject({ ok: false, failure: { class: 'invalid-arguments' } });
  });
});
