import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { harmony } from './harmony.ts';

const write = (name: string, args: unknown): string =>
  `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`;

describeFormat({
  parser: harmony,
  write,
  endMarker: '<|call|>',
  pieces: [
    '<|channel|>',
    '<|start|>assistant',
    '<|message|>',
    '<|constrain|>json',
    'commentary',
    'analysis',
    ' to=functions.f',
    '<|call|>',
    '<|end|>',
    '<|return|>',
    '<|chan',
    '<|channel|>final<|message|>',
    '<|channel|>analysis<|message|>',
    '<|channel|>commentary to=functions.f<|message|>{"a":',
  ],
});

describe('harmony', () => {
  test('tells thoughts, preamble, calls and answer apart', () => {
    const { reasoning, text, calls } = parseToolCalls(
      '<|channel|>analysis<|message|>Weather first.<|end|><|start|>assistant<|channel|>commentary<|message|>I look. <|end|>' +
        `<|start|>assistant${write('weather', { city: 'Bern' })}<|start|>assistant<|channel|>final<|message|>Sunny.<|return|>`,
    );
    expect(reasoning).toBe('Weather first.');
    expect(text).toBe('I look. Sunny.');
    expect(calls).toMatchObject([{ name: 'weather', arguments: { city: 'Bern' } }]);
  });

  test.each([
    ' to=functions.ls<|channel|>commentary <|constrain|>json<|message|>{"path": "."}<|call|>',
    '<|channel|>commentary to=functions.ls json<|message|>{"path": "."}<|call|>',
    '<|channel|>analysis to=functions.ls <|constrain|>json<|message|>{"path": "."}<|end|>',
    '<|channel|>commentary to=ls<|message|>{"path": "."}',
  ])('reads the header of %j', (text) => {
    expect(parseToolCalls(text).calls).toMatchObject([{ name: 'ls', arguments: { path: '.' } }]);
  });

  test('reads JSON in the final channel as the answer', () => {
    const { calls, text } = parseToolCalls(
      '<|channel|>final <|constrain|>json<|message|>{"name": "x", "arguments": {}}',
    );
    expect(calls).toEqual([]);
    expect(text).toBe('{"name": "x", "arguments": {}}');
  });

  test('keeps code for a built-in tool with the thoughts', () => {
    const { calls, reasoning } = parseToolCalls(
      '<|channel|>commentary to=python <|constrain|>code<|message|>print(1)<|call|>',
    );
    expect(calls).toEqual([]);
    expect(reasoning).toBe('print(1)');
  });

  test.each([
    'The token <|end|> ends a message.',
    'A <|channel|> is a channel.',
    'to=user is not it',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text).text).toBe(text);
  });

  test('leaves thoughts where they are when they are wanted as text', () => {
    const text = '<|channel|>analysis<|message|>Hm.<|end|>';
    expect(parseToolCalls(text, { reasoning: 'text' }).text).toBe(text);
  });
});
