import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toOpenAIMessage } from './convert/openai.ts';
import { allCuts, readChunks } from './chunking.case.ts';
import { createDefaultRegistry } from './default-registry.ts';
import { parseJson } from './json/parse-json.ts';
import { parseToolCalls } from './parse-tool-calls.ts';

/** A double holds 9007199254740992 instead. */
const DIGITS = '9007199254740993';
const LONG = '123456789012345678901234567890';

const hermes = (body: string): string => `<tool_call>${body}</tool_call>`;

const tool = (type: string): object => ({
  tools: [{ name: 'pay', parameters: { type: 'object', properties: { to: { type } } } }],
});

describe('the text of the arguments', () => {
  test.each([
    ['an object', `{"to": ${DIGITS} , "rate":1.0}`],
    ['numbers that change when they are written again', '{"a":1e400,"b":-0,"c":1.10,"d":0.1e-400}'],
    ['escapes', '{"a\\u0062": "\\"}{\\\\", "b": "\\u0041"}'],
    ['nested values', `{"list": [[${LONG}], {"x": {"y": ${LONG}}}]}`],
    ['a marker in a string', '{"text": "</tool_call>"}'],
    ['a key twice', `{"to": 1, "to": ${DIGITS}}`],
    ['nothing', '{ }'],
  ])('is as written with %s, for every chunking', (_, args) => {
    const text = hermes(`{"name": "pay", "arguments": ${args}}`);
    for (const chunks of allCuts(text)) {
      const told = readChunks(chunks);
      expect(told.calls.map((call) => call.argumentsText)).toEqual([args]);
      expect(told.wrongFragments).toEqual([]);
    }
    expect(parseToolCalls(text).calls[0]?.argumentsText).toBe(args);
  });

  test.each([
    ['a list', `[{"name":"a","arguments":{"n":${DIGITS}}},{"name":"b","arguments":{"n": 2}}]`],
    [
      'one after the other',
      `{"name":"a","arguments":{"n":${DIGITS}}}\n{"name":"b","arguments":{"n": 2}}`,
    ],
  ])('belongs to each call of %s', (_, body) => {
    for (const chunks of [[hermes(body)], hermes(body).split('')]) {
      const { calls } = readChunks(chunks);
      expect(calls.map((call) => call.argumentsText)).toEqual([`{"n":${DIGITS}}`, '{"n": 2}']);
    }
  });

  test.each([
    '"arguments": {"a": {"b": 1}}, "arguments": {"a": {"b": 2.0}}',
    '"arguments": {"a": {"b": 1}}, "\\u0061rguments": {"a": {"b": 2.0}}',
    '"id": "\\"arguments", "arguments": {"a": {"b": 2.0}}',
  ])('is that of the last arguments in %j', (args) => {
    const [call] = parseToolCalls(hermes(`{"name": "f", ${args}}`)).calls;
    expect(call?.argumentsText).toBe('{"a": {"b": 2.0}}');
  });

  test('is the arguments and nothing else, whatever stands beside them', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const key = fc.oneof(
      fc.constantFrom('id', '1', 'parameters', 'arguments', 'index'),
      fc.string(),
    );
    const members = fc.array(fc.tuple(key, value), { maxLength: 3 });
    fc.assert(
      fc.property(members, fc.dictionary(key, value), members, (before, args, after) => {
        const beside = [...before, ['name', 'f'] as const];
        const json = [...beside, ['arguments', args] as const, ...after]
          .map(([name, held]) => `${JSON.stringify(name)}: ${JSON.stringify(held)}`)
          .join(', ');
        const { calls } = parseToolCalls(hermes(`{${json}}`));
        for (const call of calls)
          if (call.argumentsText !== undefined)
            expect(JSON.stringify(JSON.parse(call.argumentsText))).toBe(
              JSON.stringify(call.arguments),
            );
      }),
    );
  });

  test.each([
    '"arguments": {"a": 1}, "extra": {"b": 2}',
    '"arguments": {"a": 1}, "1": {"b": 2}',
    '"parameters": {"a": 1}, "meta": {}',
  ])('ends where the arguments end in %j', (members) => {
    const [call] = parseToolCalls(hermes(`{"name": "f", ${members}}`)).calls;
    expect(call).toMatchObject({ arguments: { a: 1 }, argumentsText: '{"a": 1}' });
  });

  test('is the inner text of arguments in a string', () => {
    const inner = JSON.stringify(`{"to": ${DIGITS}}`);
    const text = `{"tool_calls":[{"type":"function","function":{"name":"pay","arguments":${inner}}}]}`;
    for (const chunks of [[text], text.split('')])
      expect(readChunks(chunks).calls[0]?.argumentsText).toBe(`{"to": ${DIGITS}}`);
  });

  test('stays where only what surrounds the arguments was repaired', () => {
    const text = `<tool_call>\`\`\`json\n{"name":"Pay","arguments":{"to":${DIGITS}}}\n\`\`\``;
    const [call] = parseToolCalls(text, { tools: [{ name: 'pay' }] }).calls;
    expect(call?.repairs).toContain('tool-name');
    expect(call?.argumentsText).toBe(`{"to":${DIGITS}}`);
  });

  test.each([
    ['were repaired', `{"name":"pay","arguments":{"to":${DIGITS},}}`],
    ['are none', '{"name":"pay"}'],
  ])('is absent where the arguments %s', (_, body) => {
    for (const chunks of allCuts(hermes(body)))
      expect(readChunks(chunks).calls[0]).not.toHaveProperty('argumentsText');
  });

  test('is what converters and held streams write', () => {
    const result = parseToolCalls(hermes(`{"name":"pay","arguments":{"to": ${DIGITS}}}`));
    expect(toOpenAIMessage(result).tool_calls?.[0]?.function.arguments).toBe(`{"to": ${DIGITS}}`);
    const plugin = { name: 'late', canParse: () => false, parse: () => null, validate: () => true };
    const registry = createDefaultRegistry().register(plugin, 5);
    const told = readChunks([hermes(`{"name":"pay","arguments":{"to": ${DIGITS}}}`)], { registry });
    expect(told.calls).toHaveLength(1);
    expect(told.wrongFragments).toEqual([]);
  });
});

describe('a call without markup', () => {
  test.each([
    ['in an object of its own', `{"name": "pay", "arguments": {"to": ${DIGITS}}}`, 'integer'],
    ['under the name of the tool', `{"pay": {"to": ${DIGITS}}}`, 'integer'],
  ])('keeps the text of arguments %s', (_, text, type) => {
    expect(parseToolCalls(text, tool(type)).calls[0]?.argumentsText).toBe(`{"to": ${DIGITS}}`);
  });

  test('holds all digits of arguments beside the name, or is lossy', () => {
    const text = `{"name": "pay", "to": ${DIGITS}}`;
    expect(parseToolCalls(text, tool('string')).calls).toMatchObject([
      { arguments: { to: DIGITS } },
    ]);
    const { calls, issues } = parseToolCalls(text, tool('integer'));
    expect(calls).toMatchObject([{ lossy: true }]);
    expect(issues).toMatchObject([{ code: 'digits-lost' }]);
  });
});

describe('a number with too many digits, in arguments without a text', () => {
  const repaired = hermes(`{"name":"pay","arguments":{"to":${LONG},}}`);

  test('is a string of its digits, for every chunking', () => {
    const whole = parseToolCalls(repaired, { nextId: () => 'id' });
    expect(whole.calls).toMatchObject([{ arguments: { to: LONG }, lossy: false }]);
    for (const chunks of allCuts(repaired)) {
      const told = readChunks(chunks);
      expect(told.calls).toEqual(whole.calls);
      expect(told.wrongFragments).toEqual([]);
    }
  });

  test('replaces what was emitted of arguments that were valid so far', () => {
    const text = hermes(`{"name":"pay","arguments":{"to":${DIGITS}},}`);
    for (const chunks of allCuts(text)) {
      const told = readChunks(chunks);
      expect(told.calls).toMatchObject([{ arguments: { to: DIGITS } }]);
      expect(told.wrongFragments).toEqual([]);
    }
  });

  test.each([
    ['JSON', repaired],
    ['Python', `<|python_start|>[pay(to=${LONG})]<|python_end|>`],
    ['tags', `<tool_call><function=pay><parameter=to>${LONG}</parameter></function></tool_call>`],
  ])('keeps a string in %s, and makes the call lossy for a number', (_, text) => {
    const { calls, issues } = parseToolCalls(text, tool('string'));
    expect(calls).toMatchObject([{ arguments: { to: LONG }, lossy: false }]);
    expect(issues).toEqual([]);
    for (const type of ['integer', 'number']) {
      const lossy = parseToolCalls(text, tool(type));
      expect(lossy.calls).toMatchObject([{ lossy: true }]);
      expect(lossy.issues).toMatchObject([
        { code: 'digits-lost', message: expect.stringContaining('"to"') as string },
      ]);
    }
  });

  test('is named by its place in lists and objects', () => {
    const parameters = {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' } } },
    };
    const text = `<tool_call><function=pay><parameter=ids>[1, ${LONG}]</parameter></function></tool_call>`;
    const { issues } = parseToolCalls(text, { tools: [{ name: 'pay', parameters }] });
    expect(issues.map(({ message }) => message)).toEqual([expect.stringContaining('"ids[1]"')]);
  });

  test('does not concern numbers that a double holds', () => {
    const text = hermes('{"name":"pay","arguments":{"to":100000000000000000000,}}');
    const { calls, issues } = parseToolCalls(text, tool('integer'));
    expect(calls).toMatchObject([{ arguments: { to: 1e20 }, lossy: false }]);
    expect(issues).toEqual([]);
  });
});

describe('parseJson', () => {
  test.each([
    [`{"a": ${LONG},}`, { a: LONG }],
    [`{'a': [${LONG}, 0x${'f'.repeat(16)}]}`, { a: [LONG, '18446744073709551615'] }],
    [`text {"a": -${LONG}} text`, { a: `-${LONG}` }],
    [`{"a": ${LONG}} {"b": 1}`, [{ a: LONG }, { b: 1 }]],
  ])('keeps all digits of %s, which is not all valid JSON', (text, value) => {
    const read = parseJson(text);
    expect(read).toMatchObject({ ok: true, value });
    expect(read.ok && read.repairs).toContain('number');
  });

  test('reads valid JSON as JSON.parse does', () => {
    expect(parseJson(`[${LONG}]`)).toMatchObject({ value: [Number(LONG)], repairs: [] });
  });
});
