import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ParserRegistry } from '../parser-registry.ts';
import { FallbackParser } from './fallback.ts';

describe('FallbackParser', () => {
  test('takes every text and returns it as it is', () => {
    const registry = new ParserRegistry().register(new FallbackParser(), 1);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const fallback = new FallbackParser();
        expect(fallback.canParse()).toBe(true);
        expect(fallback.parse(text)).toEqual({ type: 'text', content: text });
        expect(registry.parseWithFallback(text)).toEqual({
          type: 'text',
          content: text,
          issues: [],
        });
      }),
    );
  });
});
