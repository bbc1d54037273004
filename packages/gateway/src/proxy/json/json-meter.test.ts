import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonExcess, JsonMeter } from './json-meter.ts';
import type { JsonExcess } from './json-meter.ts';

const MANY = 1_000_000;

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** What is reported of a text that arrives in parts of one length. */
function excessOf(json: string, maxDepth: number, length = json.length): JsonExcess | undefined {
  const meter = new JsonMeter(MANY, maxDepth);
  for (let at = 0; at < json.length; at += length) {
    const excess = meter.feed(json.slice(at, at + length));
    if (excess !== undefined) return excess;
  }
  return undefined;
}

describe('the depth of JSON', () => {
  test('is that of its value, whatever strings hold and however the text is cut', () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: fc.constantFrom('[', '{', '}', '"', '\\', 'a') }),
        fc.integer({ min: 1, max: 9 }),
        (json, length) => {
          const depth = depthOf(JSON.parse(json));
          expect(excessOf(json, depth, length)).toBeUndefined();
          if (depth > 0) expect(excessOf(json, depth - 1, length)).toBe('depth');
        },
      ),
    );
  });

  test('is known before ten million levels are read', () => {
    const before = performance.now();
    expect(excessOf('['.repeat(10_000_000), 1000)).toBe('depth');
    expect(performance.now() - before).toBeLessThan(100);
  });

  test('is counted in linear time in strings of backslashes and quotation marks', () => {
    for (const unit of ['\\\\', '\\"', '"', '\\\\"']) {
      const before = performance.now();
      excessOf(`["${unit.repeat(1_000_000)}`, 1000);
      expect(performance.now() - before).toBeLessThan(1000);
    }
  });
});

describe('the values of JSON', () => {
  test('are one for 32 bytes of the limit, and ten thousand at least', () => {
    // The list is a value, too.
    const list = (count: number): string => `[${'10,'.repeat(count - 1)}0]`;
    expect(jsonExcess(list(10_000), 1000)).toBeUndefined();
    expect(jsonExcess(list(10_001), 1000)).toBe('values');
    expect(jsonExcess(list(31_250), 1_000_000)).toBeUndefined();
    expect(jsonExcess(list(31_251), 1_000_000)).toBe('values');
  });

  test('are not counted in strings', () => {
    expect(jsonExcess(`["${',{['.repeat(20_000)}"]`, 1000)).toBeUndefined();
  });
});
