import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { readChunks } from '../chunking.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { deepSeekV31 } from './deepseek-v3.1.ts';

const call = (name: string, args: unknown): string =>
  `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜>`;
const section = (calls: string): string => `<｜tool▁calls▁begin｜>${calls}<｜tool▁calls▁end｜>`;

describeFormat({
  parser: deepSeekV31,
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('')),
  endMarker: '<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  pieces: [
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁calls▁end｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<｜tool▁call▁end｜>',
    '<｜end▁of▁sentence｜>',
    'f<｜tool▁sep｜>{"a":',
    '<｜tool▁call▁begin｜>f<｜tool▁sep｜>{"a": 1}',
    '<｜tool▁call▁begin｜>f<｜tool▁sep｜><｜tool▁call▁end｜>',
    '<|tool_call_begin|>f<|tool_sep|>{}',
    '<｜tool',
  ],
});

const TEXT = section(call('read', { path: 'a.md' }));
const READ = { name: 'read', arguments: { path: 'a.md' }, format: 'deepseek-v3.1' };

describe('deepseek-v3.1', () => {
  test.each([
    ['other spellings', TEXT.replaceAll('▁', '_').replaceAll('｜', '|')],
    ['no section', call('read', { path: 'a.md' })],
    ['no beginning of the first call', TEXT.replace('<｜tool▁call▁begin｜>', '')],
    ['JSON in a fence', TEXT.replace('{', '```json\n{').replace('}', '}\n```')],
    ['JSON over several lines', TEXT.replace('{', '{\n  ').replace('}', '\n}')],
    ['the end of the sentence behind it', `${TEXT}<｜end▁of▁sentence｜>`],
  ])('reads a call with %s', (_what, text) => {
    expect(parseToolCalls(`So: ${text}`)).toMatchObject({
      calls: [{ ...READ, repairs: [] }],
      text: 'So: ',
    });
  });

  test('reads a call without arguments where nothing stands behind the separator', () => {
    const text = section('<｜tool▁call▁begin｜>now<｜tool▁sep｜><｜tool▁call▁end｜>');
    expect(parseToolCalls(text).calls).toMatchObject([{ name: 'now', arguments: {} }]);
  });

  test('leaves the older version to its own parser, also when told otherwise', () => {
    const older = section(
      '<｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path":"a.md"}\n```<｜tool▁call▁end｜>',
    );
    const { calls } = parseToolCalls(older + TEXT, { format: 'deepseek-v3.1' });
    expect(calls.map(({ name, format }) => [name, format])).toEqual([
      ['read', 'deepseek-v3'],
      ['read', 'deepseek-v3.1'],
    ]);
  });

  test('takes results of tools that are echoed for text, and their tokens for markup', () => {
    const echo = '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>3 files<｜tool▁output▁end｜>';
    expect(parseToolCalls(TEXT + echo)).toMatchObject({ calls: [READ], text: '3 files' });
    expect(parseToolCalls(`So: ${echo}`).text).toBe('So: 3 files');
  });

  test.each([
    section('<｜tool▁call▁begin｜>read{"path":"a.md"}<｜tool▁call▁end｜>'),
    section('<｜tool▁call▁begin｜><｜tool▁sep｜>{"path":"a.md"}<｜tool▁call▁end｜>'),
    'It begins with <｜tool▁calls▁begin｜> and has <｜tool▁sep｜> inside.',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });

  test('reports a word that is no name however the text arrives', () => {
    const text = '<｜tool_call_begin｜>a><｜tool_sep｜><s';
    const { issues } = parseToolCalls(text);
    expect(issues).toMatchObject([{ code: 'unreadable-call' }]);
    expect(readChunks(text.split('')).issues).toEqual(issues);
  });
});
