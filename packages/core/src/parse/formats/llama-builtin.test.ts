import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import { pythonArguments, writtenCall } from '../pythonic/written-python.case.ts';
import { llamaBuiltin } from './llama-builtin.ts';

describeFormat({
  parser: llamaBuiltin,
  write: (name, args) => `<|python_tag|>${writtenCall(`${name}.call`, args)}<|eom_id|>`,
  args: pythonArguments,
  pieces: [
    '<|python_tag|>',
    'f.call(',
    'f.call(a=1)',
    "<|python_tag|>f.call(a='",
    '<|eom_id|>',
    '<|eot_id|>',
  ],
  skips: { 'missing-end': 'the parenthesis is the end; a marker may follow' },
});

const registry = new ParserRegistry().register(llamaBuiltin, 50);

describe('what follows the tag', () => {
  test('may be the call of a tool that was offered', () => {
    const text = '<|python_tag|>now(zone="UTC"); Done.';
    expect(registry.parse(text, { tools: [{ name: 'now' }] })).toMatchObject({
      text: '; Done.',
      calls: [{ name: 'now', arguments: { zone: 'UTC' }, repairs: [] }],
    });
  });

  test('stays text where it is Python, or JSON', () => {
    for (const body of ['print(end="")', 'x = 1', '{"name": "f", "parameters": {}}']) {
      const text = `<|python_tag|>${body}`;
      expect(registry.parse(text)).toMatchObject({ text, calls: [] });
    }
  });
});
