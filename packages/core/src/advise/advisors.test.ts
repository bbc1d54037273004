import { describe, expect, test } from 'vitest';
import { Advisors } from './advisors.ts';

const failure = { tool: 'x', output: 'Error: broken', isError: true };

describe('Advisors', () => {
  test('keep conversations apart', () => {
    const advisors = new Advisors();
    advisors.of('one').after({ tool: 'x' }, failure);
    expect(advisors.of('two').after({ tool: 'x' }, failure).advice).toBeUndefined();
    expect(advisors.of('one').after({ tool: 'x' }, failure).advice).toBeDefined();
  });

  test('forget the conversation that was quiet longest', () => {
    const advisors = new Advisors({}, { maxConversations: 2 });
    const first = advisors.of('one');
    advisors.of('two');
    expect(advisors.of('one')).toBe(first);
    advisors.of('three');
    expect(advisors.size).toBe(2);
    expect(advisors.of('one')).toBe(first);
  });

  test('forget what they are told to', () => {
    const advisors = new Advisors();
    const first = advisors.of('one');
    expect(advisors.drop('one')).toBe(true);
    expect(advisors.drop('one')).toBe(false);
    expect(advisors.of('one')).not.toBe(first);
  });

  test('refuse wrong options at once', () => {
    expect(() => new Advisors({ toolThreshold: -1 })).toThrow('advisor.toolThreshold');
    expect(() => new Advisors({}, { maxConversations: 0 })).toThrow('advisors.maxConversations');
  });
});
