import { describe, expect, test } from 'vitest';
import { FAILURE_RULES } from './failure-class.ts';
import type { FailureClass } from './failure-class.ts';
import { FAILURE_TYPES, TYPE_OF_CLASS } from './failure-types.ts';

describe('classes and types of failures', () => {
  const classes = Object.keys(FAILURE_RULES) as FailureClass[];

  test('every class has one type', () => {
    expect(Object.keys(TYPE_OF_CLASS).sort()).toEqual([...classes].sort());
  });

  test.each(classes)('%s may be retried exactly when its type may', (each) => {
    expect(FAILURE_TYPES[TYPE_OF_CLASS[each]].retryable).toBe(FAILURE_RULES[each].retryable);
  });

  test.each(classes)(
    '%s that says nothing about the tool does not count as its failure',
    (each) => {
      if (FAILURE_TYPES[TYPE_OF_CLASS[each]].isNeutral)
        expect(FAILURE_RULES[each].counts).toBe(false);
    },
  );

  test('every parent is a type of its own, under itself', () => {
    for (const { parent } of Object.values(FAILURE_TYPES)) {
      if (parent !== undefined) expect(FAILURE_TYPES[parent].parent).toBe(parent);
    }
  });
});
