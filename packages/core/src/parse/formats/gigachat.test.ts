import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { gigachat } from './gigachat.ts';

const call = (name: string, args: unknown): string => JSON.stringify({ name, arguments: args });
const MESSAGE = '<|message_sep|>\n\nfunction call<|role_sep|>\n';

describeFormat({
  parser: gigachat,
  write: (name, args) => `<|function_call|>${call(name, args)}`,
  skips: { 'missing-end': 'a call has no end marker of its own' },
  pieces: [
    '<|function_call|>',
    '<|message_sep|>',
    MESSAGE,
    `${MESSAGE}{"name": "f", "arguments": {"a":`,
    '<|function_call|>{"name": "f", ',
    'function call',
    '<|role_sep|>',
    '</s>',
    '<|messa',
  ],
});

describe('gigachat', () => {
  test.each([
    ['behind its marker', '<|function_call|>'],
    ['in a message of its own', MESSAGE],
    ['with other space between the markers', '<|message_sep|> function call <|role_sep|>'],
  ])('reads a call %s, and the end of the text behind it', (_what, marker) => {
    for (const end of ['', '</s>']) {
      const { calls, text } = parseToolCalls(`I look.${marker}${call('a', { n: 1 })}${end}`);
      expect(calls).toMatchObject([
        { name: 'a', arguments: { n: 1 }, format: 'gigachat', repairs: [] },
      ]);
      expect(text).toBe('I look.');
    }
  });

  test.each([
    ['a call without arguments', `${MESSAGE}{"name": "a"}`],
    ['arguments that are no object', `${MESSAGE}{"name": "a", "arguments": "x"}`],
    ['another message', '<|message_sep|>\n\nassistant<|role_sep|>\n{"a": 1}'],
  ])('leaves %s as text', (_what, text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
