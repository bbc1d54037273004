import { createToolRunner, InvalidOptionError } from '@holdfast/core';
import type { ToolAnnotations, ToolCall, ToolDefinition, ToolsInput } from '@holdfast/core';
import { checkToolCall } from '@holdfast/core/check';
import {
  createDefaultRegistry,
  createToolCallStream,
  parseToolCalls,
  renderToolCall,
  renderToolPrompt,
  ToolCallTransformStream,
} from '@holdfast/core/parse';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { jsonSchema, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
} as const;
const city = z.object({ city: z.string(), days: z.number().int().optional() });
const own: ToolDefinition = { name: 'get_weather', description: 'Weather', parameters };
const description = 'Weather';

const SHAPES: Readonly<Record<string, ToolsInput>> = {
  'our own': [own],
  'OpenAI Chat': [{ type: 'function', function: { name: 'get_weather', description, parameters } }],
  'OpenAI Responses': [{ type: 'function', name: 'get_weather', parameters, strict: true }],
  Anthropic: [{ name: 'get_weather', description, input_schema: parameters }],
  MCP: [{ name: 'get_weather', description, inputSchema: parameters, annotations: {} }],
  'the AI SDK with jsonSchema()': {
    get_weather: tool({ description, inputSchema: jsonSchema(parameters as never) }),
  },
  'the AI SDK with zod': { get_weather: tool({ description, inputSchema: city }) },
  zod: [{ name: 'get_weather', description, parameters: city }],
};

const WRITTEN =
  '<tool_call><function=GetWeather><parameter=city>007</parameter><parameter=days>3</parameter></function></tool_call>';
const MEANT = { name: 'get_weather', arguments: { city: '007', days: 3 } };

describe.each(Object.entries(SHAPES))('tools in the shape of %s', (_shape, tools) => {
  it('give a parsed call its name and types', () => {
    expect(parseToolCalls(WRITTEN, { tools }).calls).toMatchObject([MEANT]);
    expect(createDefaultRegistry().parse(WRITTEN, { tools }).calls).toMatchObject([MEANT]);
  });

  it('give a streamed call its name and types', async () => {
    const calls: unknown[] = [];
    const stream = createToolCallStream({
      tools,
      onEvent: (event) => event.type === 'call-end' && calls.push(event.call),
    });
    for (const character of WRITTEN) stream.feed(character);
    stream.end();
    expect(calls).toMatchObject([MEANT]);

    const text = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(WRITTEN);
        controller.close();
      },
    });
    for await (const event of text.pipeThrough(new ToolCallTransformStream({ tools })))
      if (event.type === 'call-end') expect(event.call).toMatchObject(MEANT);
  });

  it('are what a call is checked against', () => {
    const call = { name: 'getWeather', arguments: { city: 'Rome', days: '3' } };

    expect(checkToolCall(call, tools)).toMatchObject({
      ok: true,
      call: { name: 'get_weather', arguments: { city: 'Rome', days: 3 } },
    });
    expect(checkToolCall({ name: 'get_weather', arguments: {} }, tools).ok).toBe(false);
  });

  it('are what a prompt and a written call are made of', () => {
    const prompt = renderToolPrompt(tools, 'qwen');

    expect(prompt).toContain('"name": "get_weather"');
    expect(prompt).toContain('"city": {"type": "string"');
    expect(renderToolCall(MEANT, 'qwen3-coder', { tools })).toContain('<parameter=days>');
  });
});

it('takes what the client of MCP lists, as it is', async () => {
  // Compiled, not run: the types fit.
  const parse = async (client: Client): Promise<unknown> => {
    const tools: Tool[] = (await client.listTools()).tools;
    // @ts-expect-error a name is not a tool
    parseToolCalls('', { tools: ['get_weather'] });
    // @ts-expect-error a tool has a name
    parseToolCalls('', { tools: [{ description }] });
    return parseToolCalls('', { tools });
  };
  await expect(parse({} as Client)).rejects.toThrow(TypeError);
});

describe('a runner', () => {
  const execute = ({ city: of }: { readonly city?: unknown }): string => `Sunny in ${String(of)}`;
  const call: ToolCall = {
    id: 'call_1',
    name: 'getWeather',
    arguments: { city: 'Rome', days: '3' },
    format: 'test',
    repairs: [],
    complete: true,
    lossy: false,
  };
  const checked = { name: 'get_weather', arguments: { city: 'Rome', days: 3 } };

  it.each([
    ['OpenAI', [{ type: 'function' as const, function: own, execute }]],
    ['Anthropic', [{ name: 'get_weather', input_schema: parameters, execute }]],
    ['MCP', [{ name: 'get_weather', inputSchema: parameters, annotations: {}, execute }]],
    ['zod', [{ name: 'get_weather', parameters: city, execute }]],
    ['a record', { get_weather: { inputSchema: city, execute } }],
  ])('runs tools defined in the shape of %s', async (_shape, tools) => {
    const outcome = await createToolRunner({ tools }).run(call);

    expect(outcome).toMatchObject({ ok: true, value: 'Sunny in Rome', call: checked });
  });

  it('keeps what a tool says of itself in any shape', async () => {
    let runs = 0;
    const flaky = (): string => {
      if (runs++ === 0) throw Object.assign(new Error('down'), { status: 503 });
      return 'up';
    };
    const annotations = { readOnlyHint: true };
    const tools = [{ name: 'get_weather', inputSchema: parameters, annotations, execute: flaky }];
    const runner = createToolRunner({ tools, random: () => 0 });

    // Only a tool that is known to be safe to repeat is retried.
    expect(await runner.run(call)).toMatchObject({ ok: true, value: 'up', attempts: 2 });
  });

  it('runs an instance of a class with its own this', async () => {
    class Weather {
      readonly name = 'get_weather';
      readonly inputSchema = parameters;
      readonly #sky = 'Sunny';
      get annotations(): ToolAnnotations {
        return { title: this.#sky, destructiveHint: true } as ToolAnnotations;
      }
      execute(): string {
        return this.#sky;
      }
    }
    class OwnWeather extends Weather {
      readonly parameters = parameters;
    }
    const own = createToolRunner({ tools: [new OwnWeather()] });
    const other = createToolRunner({ tools: [new Weather()] });

    for (const runner of [own, other]) {
      expect(await runner.run(call)).toMatchObject({ value: 'Sunny' });
      expect(runner.tools[0]?.annotations).toMatchObject({ destructiveHint: true });
    }
    expect(own.tools[0]).toBeInstanceOf(OwnWeather);
  });

  it('refuses a tool without execute when it is made, and names it', () => {
    expect(() => createToolRunner({ tools: [own] as never })).toThrow(
      'tools[0] (get_weather).execute: expected a function that runs the tool, got undefined',
    );
    expect(() => createToolRunner({ tools: { now: { inputSchema: city } } as never })).toThrow(
      'tools.now (now).execute: expected a function',
    );
  });
});

describe('tools that cannot be read', () => {
  it.each([
    ['zod 3', z3.object({ city: z3.string() })],
    ['a date', z.object({ day: z.date() })],
  ])('are refused with %s, with what to do', (_what, schema) => {
    const tools = [{ name: 'a', parameters: schema }];

    for (const use of [
      () => parseToolCalls('', { tools }),
      () => createToolCallStream({ tools, onEvent: () => undefined }),
      () => checkToolCall({ name: 'a', arguments: {} }, tools),
      () => renderToolPrompt(tools, 'qwen'),
    ]) {
      expect(use).toThrow(InvalidOptionError);
      expect(use).toThrow(/^tools\[0\] \(a\): expected .*JSON Schema/);
    }
  });
});
