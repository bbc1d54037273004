import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { ParserRegistry } from '../parser-registry.ts';
import type { ParseResult } from '../parse-result.ts';
import { pythonArguments, writtenCall } from '../pythonic/written-python.case.ts';
import { lfm2 } from './lfm2.ts';

const block = (body: string): string => `<|tool_call_start|>${body}<|tool_call_end|>`;

describeFormat({
  parser: lfm2,
  write: (name, args) => block(`[${writtenCall(name, args)}]`),
  writeAll: (calls) =>
    block(`[${calls.map(([name, args]) => writtenCall(name, args)).join(', ')}]`),
  endMarker: '<|tool_call_end|>',
  args: pythonArguments,
  pieces: [
    '<|tool_call_start|>',
    '<|tool_call_end|>',
    '[f(',
    'f(a=1)',
    'a=',
    "'x'",
    '"""',
    'f(a=[1, {',
    ')]',
    '#',
    '<|tool_call_start|>[f(a=',
    "<|tool_call_start|>[f(a='",
    "<|tool_call_start|>f(a='b 'c' ",
    '<|tool_call_start|>[{"name": "f", ',
    '[unused11]',
    '[unused12]',
    '[unused11][{"name": "f", ',
  ],
});

const read = (text: string): ParseResult => new ParserRegistry().register(lfm2, 50).parse(text);

describe('a block of lfm2', () => {
  test('may be calls without brackets, one after the other', () => {
    const { calls } = read(block('a(x=1), b()\nc.d(y="z")'));
    expect(calls).toMatchObject([
      { name: 'a', arguments: { x: 1 }, repairs: [] },
      { name: 'b', arguments: {} },
      { name: 'c.d', arguments: { y: 'z' } },
    ]);
  });

  test('may be statements in a fence', () => {
    const text = `<|thought_start|>Hm.<|thought_end|>\n${block('\n```python\na(x=1)\nb()\n```\n')} Done.`;
    expect(read(text)).toMatchObject({
      text: '\n Done.',
      reasoning: 'Hm.',
      calls: [{ name: 'a' }, { name: 'b' }],
    });
  });

  test('may be JSON, in a list or not', () => {
    const list = '[{"name": "a", "arguments": {"x": 1}}, {"name": "b", "parameters": {}}]';
    expect(read(block(list)).calls).toMatchObject([
      { name: 'a', arguments: { x: 1 } },
      { name: 'b', arguments: {} },
    ]);
    expect(read(block('{"name": "a", "arguments": {"x": [}}')).calls).toMatchObject([
      { name: 'a', arguments: { x: [] }, repairs: ['missing-brace'] },
    ]);
  });

  test('ends with the bracket of its JSON where its end marker is missing', () => {
    const call = '{"name": "a", "arguments": {}}';
    for (const list of [`[${call}]`, `[${call}, ]`, `\`\`\`json\n[${call}]\n\`\`\``])
      expect(read(`<|tool_call_start|>${list} Done.`)).toMatchObject({
        text: ' Done.',
        calls: [{ name: 'a' }],
      });
    expect(read(block(`[${call},]`))).toMatchObject({
      text: '',
      calls: [{ repairs: ['trailing-comma'] }],
    });
  });

  test('may have its markers twice', () => {
    const text = `<|tool_call_start|>${block('[a()]')}<|tool_call_end|>`;
    expect(read(text)).toMatchObject({ text: '', calls: [{ name: 'a' }] });
  });

  test('may be repeated behind its end marker; the calls are not', () => {
    const text = `${block("[a(x='1')]")}[a(x="1")]<|tool_call_end|> Done.`;
    expect(read(text)).toMatchObject({ text: ' Done.', calls: [{ name: 'a' }] });
    const other = `${block("[a(x='1')]")}[a(x='2')]<|tool_call_end|>`;
    expect(read(other)).toMatchObject({ text: "[a(x='2')]<|tool_call_end|>" });
  });

  test('keeps the calls before one that cannot be read', () => {
    const text = block('[a(x=1), b(y=z)]');
    expect(read(text)).toMatchObject({
      text: ', b(y=z)]<|tool_call_end|>',
      calls: [{ name: 'a' }],
    });
  });

  test('may have lost its bracket at the end of the text', () => {
    expect(read('<|tool_call_start|>[a(x=1)').calls).toMatchObject([
      { name: 'a', repairs: ['missing-brace', 'missing-end-marker'], complete: true },
    ]);
  });

  test('deeper than the limit stays text', () => {
    const text = block(`[a(x=${'['.repeat(200)}${']'.repeat(200)})]`);
    expect(read(text)).toMatchObject({ text, calls: [], issues: [{ code: 'call-too-deep' }] });
    expect(read(block(`[a(x=${'{1: '.repeat(200)}`)).calls).toEqual([]);
    expect(read(block(`[a(x=${'-'.repeat(100_000)}1)]`)).calls).toEqual([]);
  });

  test('has other tokens in older openPangu models', () => {
    const list =
      '[{"name": "a", "arguments": {"x": "[unused12]"}}, {"name": "b", "arguments": {}}]';
    expect(read(`[unused16]Hm.[unused17][unused11]${list}[unused12] Done.`)).toMatchObject({
      text: ' Done.',
      reasoning: 'Hm.',
      calls: [{ name: 'a', arguments: { x: '[unused12]' } }, { name: 'b' }],
    });
    expect(read('[unused11][{"name": "a", "arguments": {}}] Done.')).toMatchObject({
      text: ' Done.',
      calls: [{ name: 'a', repairs: ['missing-end-marker'] }],
    });
    expect(read('[unused11][{"name": "a", "arg')).toMatchObject({
      calls: [],
      issues: [{ code: 'incomplete-call' }],
    });
    const mention = 'The tokens [unused11] and [unused12], or x[unused11][0].';
    expect(read(mention)).toMatchObject({ text: mention, calls: [], issues: [] });
  });

  test('without a call is markup, or text', () => {
    expect(read(`a${block('')}b`).text).toBe('ab');
    expect(read(block('[]'))).toMatchObject({ text: block('[]'), calls: [] });
  });
});
