import { describe, expect, test } from 'vitest';
import { isLogLevel, isWanted, lowestLevel } from './log-levels.ts';

describe('levels of messages', () => {
  test.each([
    ['warning', 'warning', true],
    ['error', 'warning', true],
    ['info', 'warning', false],
    ['odd', 'warning', false],
    [undefined, 'warning', true],
    ['emergency', undefined, false],
  ])('%s is wanted by who asked for %s: %s', (level, wanted, isHeard) => {
    expect(isWanted(level, wanted)).toBe(isHeard);
  });

  test('the least severe that anybody asked for is asked of servers', () => {
    expect(lowestLevel(['error', undefined, 'info', 'alert'])).toBe('info');
    expect(lowestLevel([undefined])).toBeUndefined();
  });

  test('others are no levels', () => {
    expect(['debug', 'warn', ''].map(isLogLevel)).toEqual([true, false, false]);
  });
});
