import { describe, expect, test } from 'vitest';
import { FAILURE_TYPES } from '../internal/failure-types.ts';
import { adviceFromData, wordCount } from './advice-entry.ts';
import { ADVICE_MAP } from './advice-map.ts';
import { AdviceTable } from './advice-table.ts';
import type { FailureType } from './classification.ts';

const typesOf = (tool: string): string[] =>
  ADVICE_MAP.filter((entry) => entry.tool === tool).map(({ type }) => type);

describe('the advice map', () => {
  test.each([
    ['code_execution_tool', 'syntax dependency timeout permission not_found network resource'],
    ['knowledge_tool', 'not_found any'],
    ['call_subordinate', 'timeout any'],
    ['any', 'timeout permission not_found syntax network dependency execution resource'],
  ])('has advice of %s for %s', (tool, types) => {
    expect(typesOf(tool)).toEqual(expect.arrayContaining(types.split(' ')));
  });

  test('has every entry once, in the shape that users write', () => {
    const keys = ADVICE_MAP.map(({ tool, type }) => `${tool} ${type}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(adviceFromData([...ADVICE_MAP])).toEqual(ADVICE_MAP);
  });

  test.each(ADVICE_MAP.map((entry) => [entry.tool, entry.type, entry.text] as const))(
    'says to %s on %s what to do and what not, in few words',
    (_, __, text) => {
      expect(text).toMatch(/\bDo not\b/);
      expect(wordCount(text)).toBeLessThanOrEqual(36);
      expect(text).not.toMatch(/sudo|\bsu\b|chmod|root|admin|doas/i);
    },
  );

  test('has something for every type of every tool', () => {
    const table = new AdviceTable(ADVICE_MAP);
    for (const [type, { parent }] of Object.entries(FAILURE_TYPES))
      if (type !== 'cancelled')
        for (const isShell of [true, false])
          expect(
            table.find({ tool: 'x', isShell, type: type as FailureType, parent }),
          ).toBeDefined();
  });
});

describe('AdviceTable', () => {
  const all = [
    { tool: 't', type: 'auth', text: 'tool and type' },
    { tool: 't', type: 'permission', text: 'tool and parent' },
    { tool: 't', type: 'any', text: 'tool and any' },
    { tool: 'code_execution_tool', type: 'auth', text: 'shell and type' },
    { tool: 'any', type: 'auth', text: 'any and type' },
    { tool: 'any', type: 'permission', text: 'any and parent' },
    { tool: 'any', type: 'any', text: 'any and any' },
  ] as const;
  const query = { tool: 't', isShell: true, type: 'auth', parent: 'permission' } as const;

  test.each(all.map(({ text }, index) => [text, index] as const))(
    'finds %s when nothing nearer is there',
    (text, index) => {
      expect(new AdviceTable(all.slice(index)).find(query)).toBe(text);
    },
  );

  test('takes the advice of shells only for shells', () => {
    expect(new AdviceTable(all.slice(3)).find({ ...query, isShell: false })).toBe('any and type');
  });

  test('takes the later of two for the same', () => {
    const mine = [{ tool: 'any', type: 'auth', text: 'mine' }] as const;
    expect(new AdviceTable(ADVICE_MAP, mine).find({ ...query, isShell: false })).toBe('mine');
  });

  test('has nothing for what nobody wrote about', () => {
    expect(new AdviceTable([]).find(query)).toBeUndefined();
  });
});

describe('adviceFromData', () => {
  const entry = { tool: 'deploy', type: 'any', text: 'Ask in the release room.' };

  test('reads a list, or an object that has it under advice', () => {
    expect(adviceFromData([entry])).toEqual([entry]);
    expect(adviceFromData({ advice: [entry] })).toEqual([entry]);
    expect(adviceFromData([{ ...entry, text: ' one\n  line ' }])[0]?.text).toBe('one line');
  });

  test.each([
    ['no list', 'text', 'advice: expected a list of { tool, type, text }, got "text"'],
    [
      'no list inside',
      { advice: {} },
      'advice: expected a list of { tool, type, text }, got an object',
    ],
    ['no entry', [entry, 3], 'advice[1]: expected an object { tool, type, text }, got 3'],
    [
      'no tool',
      [{ ...entry, tool: '' }],
      "advice[0].tool: expected a tool's name or 'any', got \"\"",
    ],
    [
      'another type',
      [{ ...entry, type: 'oops' }],
      'advice[0].type: expected any or one of timeout, ',
    ],
    [
      'no text',
      [{ ...entry, text: ' ' }],
      'advice[0].text: expected a text of 1 to 40 words, got " "',
    ],
    [
      'a long text',
      [{ ...entry, text: 'a '.repeat(41) }],
      'advice[0].text: expected a text of 1 to 40 words',
    ],
    [
      'another key',
      [{ ...entry, note: 1 }],
      'advice[0].note: expected only tool, type and text, got 1',
    ],
  ])('refuses %s, saying where', (_, data, message) => {
    expect(() => adviceFromData(data)).toThrow(message);
  });
});
