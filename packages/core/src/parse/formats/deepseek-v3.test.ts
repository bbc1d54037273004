import { describe, expect, test } from 'vitest';
import { allCuts, readChunks } from '../chunking.case.ts';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { deepSeekV3 } from './deepseek-v3.ts';

const call = (name: string, args: unknown): string =>
  `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜>`;
const section = (calls: string): string => `<｜tool▁calls▁begin｜>${calls}<｜tool▁calls▁end｜>`;

describeFormat({
  parser: deepSeekV3,
  write: (name, args) => section(call(name, args)),
  writeAll: (calls) => section(calls.map(([name, args]) => call(name, args)).join('\n')),
  endMarker: '\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  pieces: [
    '<｜tool▁calls▁begin｜>',
    '<｜tool▁calls▁end｜>',
    '<｜tool▁call▁begin｜>',
    '<｜tool▁sep｜>',
    '<｜tool▁call▁end｜>',
    '<｜end▁of▁sentence｜>',
    'function<｜tool▁sep｜>f\n```json\n{"a":',
    '<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{"a": 1',
    '<|tool_call_begin|>function<|tool_sep|>f\n{}',
    '```',
    '<｜tool',
  ],
});

const TEXT = section(call('read', { path: 'a.md' }));
const READ = { name: 'read', arguments: { path: 'a.md' }, format: 'deepseek-v3' };

describe('deepseek-v3', () => {
  test.each([
    ['_ for ▁', TEXT.replaceAll('▁', '_')],
    ['a space for ▁', TEXT.replaceAll('▁', ' ')],
    ['an escaped _ for ▁', TEXT.replaceAll('▁', '\\_')],
    ['ASCII bars', TEXT.replaceAll('｜', '|')],
    ['ASCII bars and _', TEXT.replaceAll('｜', '|').replaceAll('▁', '_')],
    ['a misspelt opening only', TEXT.replace('<｜tool▁calls▁begin｜>', '<｜tool_calls_begin｜>')],
    ['the short opening', TEXT.replace('<｜tool▁calls▁begin｜>', '<｜tool▁calls｜>')],
  ])('reads the spelling with %s', (_spelling, text) => {
    expect(parseToolCalls(`So: ${text}`)).toMatchObject({
      calls: [{ ...READ, repairs: [] }],
      text: 'So: ',
    });
  });

  test.each([
    ['the section', call('read', { path: 'a.md' }), []],
    ['the beginning of the first call', TEXT.replace('<｜tool▁call▁begin｜>', ''), []],
    ['the line break before the fence', TEXT.replace('\n```<', '```<'), []],
    ['the fence', TEXT.replace('```json\n', '').replace('\n```', ''), []],
    ['the language of the fence', TEXT.replace('json', ''), []],
    ['the end of the fence', TEXT.replace('\n```<', '<'), []],
    ['the end of the call', TEXT.replace('<｜tool▁call▁end｜>', ''), ['missing-end-marker']],
    ['the last brace', TEXT.replace('}', ''), ['missing-brace']],
  ])('does without %s', (_what, text, repairs) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [{ ...READ, repairs }], text: '' });
  });

  test('keeps text behind the section, and takes the end of the sentence for markup', () => {
    const { calls, text } = parseToolCalls(`${TEXT} Done.<｜end▁of▁sentence｜>`);
    expect(calls).toMatchObject([READ]);
    expect(text).toBe(' Done.');
  });

  test('reads the siblings of a call that cannot be read', () => {
    const broken = call('x', {}).replace('{}', '{no json');
    const { calls, text } = parseToolCalls(section(`\n${broken}\n${call('b', { n: 1 })}\n`));
    expect(calls).toMatchObject([{ name: 'b', arguments: { n: 1 } }]);
    expect(text).toContain(broken);
  });

  describe.each([
    [
      'in ASCII before one in full width',
      '<|tool_call_begin|>',
      '<|tool_sep|>',
      '<｜tool▁sep｜><A',
    ],
    [
      'in full width before one in ASCII',
      '<｜tool▁call▁begin｜>',
      '<｜tool▁sep｜>',
      '<|tool_sep|><a>',
    ],
    [
      'with a space before another of its kind',
      '<｜tool▁call▁begin｜>',
      '<|tool sep|>',
      '<|tool sep|><b>',
    ],
    [
      'in ASCII, in a section',
      '<｜tool_calls_begin｜><|tool_call_begin|>',
      '<|tool_sep|>',
      '<｜tool_sep｜><steptml:x',
    ],
  ])('the separator of a call, %s', (_what, begin, separator, other) => {
    test.each([
      ['behind it', `${begin}function${separator}f\n{}${other}`, {}, other],
      ['in a string', `${begin}function${separator}f\n{"a":"${other}"}`, { a: other }, ''],
    ])(
      'counts alone where the other stands %s, however the text is cut',
      (_where, input, args, rest) => {
        for (const chunks of allCuts(input)) {
          const { calls, text } = readChunks(chunks, {
            format: 'deepseek-v3',
            tools: [{ name: 'f' }],
          });
          expect(calls, chunks.join(' + ')).toMatchObject([{ name: 'f', arguments: args }]);
          expect(text).toBe(rest);
        }
      },
    );
  });

  test('reports the same of a separator without a word, however the text is cut', () => {
    for (const chunks of allCuts('<｜tool▁call▁begin｜><｜tool▁sep｜><a>')) {
      const { issues } = readChunks(chunks);
      expect(issues, chunks.join(' + ')).toMatchObject([{ code: 'unreadable-call', offset: 0 }]);
    }
  });

  test.each(['', '\n<｜tool_call_begin｜>'])(
    'leaves Step-3 to its parser at a look, behind %j',
    (begin) => {
      const body = `${begin}function<｜tool_sep｜><steptml:invoke name="f">`;
      const looks = deepSeekV3.formats.map((format) => format.declines?.(body, 0, undefined));
      expect(looks.slice(0, 2)).toEqual([true, true]);
    },
  );

  test.each([
    'It begins with <｜tool▁calls▁begin｜>, then <｜tool▁call▁begin｜> and a type.',
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read and so on',
    'Ends with <｜end▁of▁sentence｜>.',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
