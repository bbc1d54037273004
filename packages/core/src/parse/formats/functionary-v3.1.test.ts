import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { functionaryV31 } from './functionary-v3.1.ts';

describeFormat({
  parser: functionaryV31,
  write: (name, args) => `<function=${name}>${JSON.stringify(args)}</function>`,
  endMarker: '</function>',
  pieces: [
    '<function=',
    '<function=f>',
    '</function>',
    '<function=f>{"a":',
    '<function=f>{"a": 1}',
    '<function=f><parameter=a>1</parameter></function>',
    '<func',
  ],
});

describe('functionary-v3.1', () => {
  test('reads JSON over several lines, and a name with what its server put before it', () => {
    const { calls } = parseToolCalls(
      '<function=disk.read-file>\n{\n  "path": "a.md"\n}\n</function>',
    );
    expect(calls).toMatchObject([
      {
        name: 'disk.read-file',
        arguments: { path: 'a.md' },
        repairs: [],
        format: 'functionary-v3.1',
      },
    ]);
  });

  test('takes the beginning of an end that the text ends in for no text', () => {
    expect(parseToolCalls('<function=f>{"a": 1}</func')).toMatchObject({
      calls: [{ name: 'f', arguments: { a: 1 }, repairs: ['missing-end-marker'] }],
      text: '',
    });
  });

  test('leaves parameters in tags to the dialect that has them', () => {
    const { calls } = parseToolCalls('<function=f><parameter=a>1</parameter></function>');
    for (const { format } of calls) expect(format).not.toBe('functionary-v3.1');
  });

  test.each(['It writes <function=name> first.', '<function=>{}</function>', '<function=a b>{}'])(
    'leaves %j alone',
    (text) => {
      expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
    },
  );
});
