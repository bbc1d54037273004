import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isNestedDeeper } from './is-nested-deeper.ts';

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('the depth of JSON', () => {
  test('is that of its value, whatever stands in strings', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: fc.constantFrom('[', '{', '}', '"', '\\', 'a') }),
        (json) => {
          const depth = depthOf(JSON.parse(json));
          expect(isNestedDeeper(json, depth)).toBe(false);
          if (depth > 0) expect(isNestedDeeper(json, depth - 1)).toBe(true);
        },
      ),
    );
  });

  test('is known before ten million levels are read', () => {
    const before = performance.now();
    expect(isNestedDeeper('['.repeat(10_000_000), 1000)).toBe(true);
    expect(performance.now() - before).toBeLessThan(100);
  });

  test('is counted in linear time in strings of backslashes and quotation marks', () => {
    for (const unit of ['\\\\', '\\"', '"', '\\\\"']) {
      const before = performance.now();
      isNestedDeeper(`["${unit.repeat(1_000_000)}`, 1000);
      expect(performance.now() - before).toBeLessThan(1000);
    }
  });
});
