import { describe, expect, test } from 'vitest';
import { describeFormat } from '../format-suite.case.ts';
import { parseToolCalls } from '../parse-tool-calls.ts';
import { internLm } from './internlm.ts';

describeFormat({
  parser: internLm,
  write: (name, args) =>
    `<|action_start|><|plugin|>\n${JSON.stringify({ name, parameters: args })}<|action_end|>`,
  endMarker: '<|action_end|>',
  pieces: [
    '<|action_start|>',
    '<|plugin|>',
    '<|interpreter|>',
    '<|action_end|>',
    '<|action_start|> <|plugin|>{"name": "f", "parameters": {',
    '<|action',
  ],
});

describe('internlm', () => {
  test.each([
    ['<|action_start|><|plugin|>', 'parameters'],
    ['<|action_start|> <|plugin|>\n', 'parameters'],
    ['<|action_start|>\n<|plugin|>', 'arguments'],
  ])('reads a call behind %j with %s', (opening, key) => {
    const text = `So: ${opening}{"name": "now", "${key}": {"utc": true}}<|action_end|> then`;
    expect(parseToolCalls(text)).toMatchObject({
      calls: [{ name: 'now', arguments: { utc: true }, format: 'internlm', repairs: [] }],
      text: 'So:  then',
    });
  });

  test.each([
    '<|action_start|><|interpreter|>print(1)<|action_end|>',
    '<|action_start|><|plugin|>no json<|action_end|>',
    '<|action_start|><|plugin|>{"name": "f", "parameters": "no object"}<|action_end|>',
    'An action begins with <|action_start|> and names <|plugin|> or another.',
  ])('leaves %j alone', (text) => {
    expect(parseToolCalls(text)).toMatchObject({ calls: [], text });
  });
});
