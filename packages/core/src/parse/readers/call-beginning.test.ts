import { describe, expect, test } from 'vitest';
import { OfferedTools } from '../offered-tools.ts';
import { beginsLikeCall } from './call-beginning.ts';

const TOOLS = new OfferedTools([{ name: 'known' }]);

describe('the beginning of an object', () => {
  test.each([
    ['{"name": "f", "arguments": {', 'yes'],
    ['[ {"name":"f","arguments":{', 'yes'],
    ['{"id": "1", "type": "function", "name": "f", "arguments": {', 'yes'],
    ['{"arguments": {"path', 'yes'],
    ['{"name": "f"}', 'yes'],
    ['{"name": "a\\"b", "x"', 'yes'],
    ['{"name": "f", "born": 1815}', 'no'],
    ['{"name": "Ada Lovelace", "arguments": {}}', 'no'],
    ["{'name': 'f', 'arguments': {}}", 'no'],
    ['{"name" "f"}', 'no'],
    [`{"name": "${'f'.repeat(200)}", "arguments": {}}`, 'no'],
    [`{"id": "${'1'.repeat(200)}`, 'no'],
    ['{"na', 'unclear'],
    ['{"name": ', 'unclear'],
    ['{"name": "f', 'unclear'],
    ['{"name": "f", "argum', 'unclear'],
  ])('%s: %s', (text, verdict) => {
    expect(beginsLikeCall(text, 0, undefined)).toBe(verdict);
  });

  test.each([
    ['{"name": "known", "anything": 1', 'yes'],
    ["{'name': 'known', 'anything': 1", 'yes'],
    ['{"tool": "known", "why": "', 'yes'],
    ['{"name": "other", "arguments": {', 'yes'],
    ['{"name": "other", "anything": 1', 'no'],
  ])('with tools, %s: %s', (text, verdict) => {
    expect(beginsLikeCall(text, 0, TOOLS)).toBe(verdict);
  });

  test('is judged alike however much of the text has come', () => {
    const look = (text: string): string => beginsLikeCall(text, 0, TOOLS);
    for (const text of [
      '{"name": "f", "arguments": {"a": 1}}',
      '{"name": "f", "born": 1815, "died": 1852}',
      `{"type": "${'t'.repeat(100)}", "id": "${'i'.repeat(60)}", "name": "known"}`,
    ]) {
      const verdicts = Array.from({ length: text.length }, (_, end) =>
        look(text.slice(0, end + 1)),
      );
      const settled = verdicts.filter((verdict) => verdict !== 'unclear');
      expect(new Set(settled)).toEqual(new Set([look(text)]));
    }
  });
});
