import { describe, expect, test } from 'vitest';
import { InvalidOptionError } from '../errors.ts';
import { createDefaultRegistry } from './default-registry.ts';
import { createToolCallStream } from './create-tool-call-stream.ts';
import { FallbackParser } from './formats/fallback.ts';
import { OpenAIToolParser } from './formats/openai.ts';
import { QwenToolParser } from './formats/qwen.ts';
import { parseJson } from './json/parse-json.ts';
import type { ParseEvent } from './parse-event.ts';
import { parseToolCalls } from './parse-tool-calls.ts';
import { ParserRegistry } from './parser-registry.ts';
import { ToolCallTransformStream } from './tool-call-transform-stream.ts';

const CALL = '<tool_call>{"name":"f","arguments":{}}</tool_call>';

/** What plain JavaScript may pass. */
const value = (it: unknown): never => it as never;

const onEvent = (): void => undefined;
const plugin = { name: 'own', canParse: () => false, parse: () => null, validate: () => true };
describe('what is no text', () => {
  const NO_TEXTS = [null, undefined, 7, {}, ['a']];
  const registry = createDefaultRegistry();
  const held = createDefaultRegistry().register(plugin, 5);

  test.each([
    ['parseToolCalls', (text: never) => parseToolCalls(text)],
    ['parse of a registry', (text: never) => registry.parse(text)],
    ['parseWithFallback', (text: never) => registry.parseWithFallback(text)],
    ['parse of a parser', (text: never) => new QwenToolParser().parse(text)],
    ['parse of the fallback', (text: never) => new FallbackParser().parse(text)],
    ['parseJson', (text: never) => parseJson(text)],
    ['feed', (text: never) => createToolCallStream({ onEvent }).feed(text)],
    ['feed, with a whole-text parser', (text: never) => held.createStream({ onEvent }).feed(text)],
  ])('is refused by %s, which names what was expected and received', (_, read) => {
    for (const text of NO_TEXTS) {
      expect(() => read(value(text))).toThrow(InvalidOptionError);
      expect(() => read(value(text))).toThrow(/^(?:text|chunk): expected a string, got \S/);
    }
  });

  test('is no call for canParse and validate', () => {
    for (const text of NO_TEXTS) {
      expect(new QwenToolParser().canParse(value(text))).toBe(false);
      if (!Array.isArray(text)) expect(new QwenToolParser().validate(value(text))).toBe(false);
    }
    expect(new QwenToolParser().validate(value([null, 7]))).toBe(false);
  });

  test('fails a transform stream with the same error', async () => {
    const stream = new ToolCallTransformStream();
    const writer = stream.writable.getWriter();
    writer.closed.catch(() => undefined);
    const read = stream.readable.getReader().read();
    writer.write(value(null)).catch(() => undefined);
    await expect(read).rejects.toThrow('chunk: expected a string, got null');
  });
});

describe('options', () => {
  test.each([null, 7, 'qwen', []])('that are %j are refused by every entry', (options) => {
    const entries: (() => unknown)[] = [
      () => parseToolCalls('x', value(options)),
      () => new ParserRegistry().parse('x', value(options)),
      () => new ParserRegistry().parseWithFallback('x', value(options)),
      () => createToolCallStream(value(options)),
      () => new ParserRegistry().createStream(value(options)),
      () => new ParserRegistry(value(options)),
      () => createDefaultRegistry(value(options)),
      () => parseJson('{}', value(options)),
    ];
    for (const entry of entries) expect(entry).toThrow(/expected an object, got/);
  });

  test.each([
    [{ tool: [] }, 'tools, unknownTool, got "tool"'],
    [{ toString: 1 }, /^options: expected only/],
    [{ model: null }, /^model: expected a string, got null$/],
    [{ format: 7 }, /^format: expected a string, got 7$/],
    [{ nextId: 'id' }, /^nextId: expected a function, got "id"$/],
    [{ clock: {} }, /^clock: expected a clock with a method now, got an object$/],
    [{ registry: {} }, /^registry: expected a ParserRegistry, got an object$/],
  ])('%j are refused', (options, message) => {
    expect(() => parseToolCalls('x', value(options))).toThrow(message);
    expect(() => createToolCallStream(value({ ...options, onEvent }))).toThrow(message);
    expect(() => new ToolCallTransformStream(value(options))).toThrow(message);
  });

  test.each([
    [{ maxdepth: 3 }, /maxdepth: expected an option that exists/],
    [{ maxDepth: '3' }, /maxDepth: expected a whole number/],
    [{ expect: 'calls' }, /expect: expected 'value' or 'call', got "calls"/],
  ])('%j are refused by parseJson', (options, message) => {
    expect(() => parseJson('{', value(options))).toThrow(message);
  });

  test.each([
    [{ orders: 'lowest-first' }, /registry\.orders: expected an option that exists/],
    [
      { order: 'lowest' },
      /registry\.order: expected 'highest-first' or 'lowest-first', got "lowest"/,
    ],
    [{ limits: null }, /registry\.limits: expected an object, got null/],
    [{ clock: 5 }, /registry\.clock: expected a clock/],
  ])('%j are refused by a registry', (options, message) => {
    expect(() => new ParserRegistry(value(options))).toThrow(message);
  });

  test('of createDefaultRegistry with an order name the remedy', () => {
    const create = (): unknown => createDefaultRegistry(value({ order: 'lowest-first' }));
    expect(create).toThrow(InvalidOptionError);
    expect(create).toThrow('new ParserRegistry({ order })');
    expect(() => createDefaultRegistry(value({ custom: [{}] }))).toThrow(/custom: expected a list/);
    expect(() => createDefaultRegistry(value({ parsers: [] }))).toThrow(
      /parsers: expected an option/,
    );
  });
});

describe('register', () => {
  test.each([
    [
      QwenToolParser,
      /^parser: expected a parser, not its class: create one with new, got a function$/,
    ],
    [{}, /its name is missing, got an object$/],
    [null, /its name is missing, got null$/],
    ['qwen', /its name is missing, got "qwen"$/],
    [{ ...plugin, name: '' }, /its name is missing/],
    [{ ...plugin, parse: undefined }, /its method parse is missing/],
    [{ ...plugin, validate: 'yes' }, /its method validate is missing/],
    [{ ...plugin, openings: ['<<', 7] }, /its openings are no list of strings/],
    [{ ...plugin, limits: 5 }, /^limits: expected an object, got 5$/],
  ])('refuses what is no parser: %s', (parser, message) => {
    const register = (): unknown => new ParserRegistry().register(value(parser), 1);
    expect(register).toThrow(InvalidOptionError);
    expect(register).toThrow(message);
  });
});

describe('a fallback before other parsers', () => {
  const registryOf = (order?: 'lowest-first'): ParserRegistry =>
    new ParserRegistry(order === undefined ? {} : { order })
      .register(new QwenToolParser(), 10)
      .register(new OpenAIToolParser(), 20)
      .register(new FallbackParser(), 100);

  test('is reported on the first parse, with the remedy', () => {
    const registry = registryOf();
    const first = registry.parseWithFallback(CALL);
    expect(first).toMatchObject({ type: 'text', content: CALL });
    expect(first.issues).toMatchObject([{ code: 'fallback-first', parser: 'fallback', offset: 0 }]);
    expect(first.issues[0]?.message).toContain('openai, qwen are never tried');
    expect(first.issues[0]?.message).toContain("new ParserRegistry({ order: 'lowest-first' })");
    expect(registry.parse(CALL).issues).toEqual([]);
  });

  test('is reported by the first stream', () => {
    const registry = registryOf();
    const codes = [1, 2].map(() => {
      const events: ParseEvent[] = [];
      const stream = registry.createStream({ onEvent: (event) => events.push(event) });
      stream.feed(CALL);
      stream.end();
      return events.flatMap((event) => (event.type === 'issue' ? [event.issue.code] : []));
    });
    expect(codes).toEqual([['fallback-first'], []]);
  });

  test('is none where the fallback comes last', () => {
    expect(registryOf('lowest-first').parse(CALL)).toMatchObject({
      issues: [],
      calls: [{ name: 'f' }],
    });
    expect(createDefaultRegistry().parse('x').issues).toEqual([]);
  });

  test('is none once the order was changed', () => {
    const registry = registryOf();
    registry.unregister('fallback');
    registry.register(new FallbackParser(), 1);
    expect(registry.parse(CALL)).toMatchObject({ issues: [], calls: [{ name: 'f' }] });
  });
});
