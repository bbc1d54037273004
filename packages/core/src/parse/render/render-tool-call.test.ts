import { describe, expect, test } from 'vitest';
import { HoldfastError, InvalidOptionError, ToolRenderError } from '../../errors.ts';
import type { JsonObject } from '../../types.ts';
import { RENDER_FORMATS } from './dialect-of.ts';
import { renderToolCall } from './render-tool-call.ts';

const call = (args: JsonObject, name = 'save'): { name: string; arguments: JsonObject } => ({
  name,
  arguments: args,
});

describe('renderToolCall', () => {
  test('writes a call the way the template of the model does', () => {
    const args = { path: 'a.txt', lines: [1, 2] };
    expect(renderToolCall(call(args), 'qwen')).toBe(
      '<tool_call>\n{"name": "save", "arguments": {"path": "a.txt", "lines": [1, 2]}}\n</tool_call>',
    );
    expect(renderToolCall(call(args), 'qwen3-coder')).toBe(
      '<tool_call>\n<function=save>\n<parameter=path>\na.txt\n</parameter>\n<parameter=lines>\n[1, 2]\n</parameter>\n</function>\n</tool_call>',
    );
    expect(renderToolCall(call(args), 'gemma4')).toBe(
      '<|tool_call>call:save{path:<|"|>a.txt<|"|>,lines:[1,2]}<tool_call|>',
    );
    expect(renderToolCall(call({ on: true, by: null }), 'pythonic')).toBe(
      '[save(on=True, by=None)]',
    );
  });

  test('writes several calls in the one block that a dialect has for them', () => {
    const calls = [call({ n: 1 }, 'a'), call({}, 'b')];
    expect(renderToolCall(calls, 'mistral')).toBe(
      '[TOOL_CALLS] [{"name": "a", "arguments": {"n": 1}}, {"name": "b", "arguments": {}}]',
    );
    expect(renderToolCall(calls, 'llama3-json')).toBe(
      '{"name": "a", "parameters": {"n": 1}}; {"name": "b", "parameters": {}}',
    );
    expect(renderToolCall(calls, 'anthropic-xml')).toBe(
      '<function_calls>\n<invoke name="a">\n<parameter name="n">1</parameter>\n</invoke>\n<invoke name="b">\n</invoke>\n</function_calls>',
    );
  });

  test('keeps ids where the dialect has a place for them', () => {
    const one = { id: 'abc123XYZ', name: 'f', arguments: {} };
    expect(renderToolCall(one, 'openai')).toContain('"id": "abc123XYZ"');
    expect(renderToolCall(one, 'mistral')).toContain('"id": "abc123XYZ"');
    expect(renderToolCall({ ...one, id: 'too_long_for_it' }, 'mistral')).not.toContain('id"');
    expect(renderToolCall({ ...one, id: 'functions.f:7' }, 'kimi-k2')).toContain('functions.f:7<');
    expect(renderToolCall(one, 'kimi-k2')).toContain('functions.f:0<');
  });

  test.each(['anthropic-xml', 'deepseek-dsml', 'glm', 'minimax-m2', 'qwen3-coder'])(
    'writes as JSON what %s has no text for',
    (format) => {
      const args = { 'odd key': 'x', content: '</parameter></｜DSML｜parameter></arg_value>' };
      expect(renderToolCall(call(args), format)).toContain('{"odd key": "x", "content": "');
    },
  );

  test('writes as JSON what the schema would read as something else', () => {
    const tools = [{ name: 'save', parameters: { type: 'object', properties: { a: {} } } }];
    expect(renderToolCall(call({ a: 1 }), 'qwen3-coder')).toContain('<parameter=a>\n1\n');
    expect(renderToolCall(call({ a: 1 }), 'qwen3-coder', { tools })).toContain('{"a": 1}');
  });

  test('says what a dialect cannot write, and why', () => {
    expect(() => renderToolCall(call({ 'a-b': 1 }), 'pythonic')).toThrow(
      'pythonic cannot write the name "a-b": it would not read back as the same',
    );
    expect(() => renderToolCall(call({}, 'think'), 'tool-name-xml')).toThrow(
      'tool-name-xml cannot call think: that tag has another meaning',
    );
    expect(() => renderToolCall(call({ n: Number.NaN }), 'qwen')).toThrow(
      'qwen cannot write the arguments of save: JSON has no NaN',
    );
    let deep: JsonObject = {};
    for (let level = 0; level < 5_000; level++) deep = { deep };
    expect(() => renderToolCall(call(deep), 'qwen')).toThrow(ToolRenderError);
  });

  test('throws errors with a code', () => {
    const error = (write: () => unknown): unknown => {
      try {
        return write();
      } catch (thrown) {
        return thrown;
      }
    };
    const refused = error(() => renderToolCall(call({ 'a-b': 1 }), 'pythonic'));
    expect(refused).toBeInstanceOf(HoldfastError);
    expect(refused).toMatchObject({ name: 'ToolRenderError', code: 'cannot-render' });
  });

  test('names the formats there are when asked for another', () => {
    expect(() => renderToolCall(call({}), 'herme')).toThrow(InvalidOptionError);
    expect(() => renderToolCall(call({}), 'herme')).toThrow(
      `format: expected one of ${RENDER_FORMATS.join(', ')}, got "herme"`,
    );
  });

  test.each(['', ' save', 'save\n'])('refuses %j as a name', (name) => {
    for (const format of RENDER_FORMATS)
      expect(() => renderToolCall(call({}, name), format)).toThrow(InvalidOptionError);
  });

  test('refuses to write no call at all', () => {
    expect(() => renderToolCall([], 'qwen')).toThrow('call: expected at least one call');
  });

  test('writes a call of a tool that is no longer offered', () => {
    const tools = [{ name: 'other' }];
    for (const format of RENDER_FORMATS)
      expect(renderToolCall(call({ path: 'a.txt' }), format, { tools })).toContain('save');
  });
});
