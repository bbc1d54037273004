import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { RememberingContext } from './read-context.ts';
import { TextState } from './text-state.ts';

const newContext = () => new RememberingContext(64, false, undefined, new TextState());

describe('RememberingContext', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ä'), maxLength: 40 });
  const literal = fc.constantFrom('a', 'ab', 'ba', 'aab', 'ä');
  const question = fc.record({ literal, from: fc.nat(40), end: fc.nat(40), changes: fc.boolean() });

  test('finds what a search of each beginning finds, whatever it was asked before', () => {
    fc.assert(
      fc.property(text, text, fc.array(question, { maxLength: 20 }), (one, other, questions) => {
        const context = newContext();
        let whole = one;
        for (const asked of questions) {
          if (asked.changes) whole = whole === one ? other : one;
          const given = whole.slice(0, asked.end);
          if (given !== whole) context.give(given, whole);
          expect(context.find(given, asked.literal, asked.from)).toBe(
            given.indexOf(asked.literal, asked.from),
          );
          expect(context.findLast(given, asked.literal)).toBe(given.lastIndexOf(asked.literal));
        }
      }),
    );
  });

  test('knows how far a beginning is ASCII once somebody has searched', () => {
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(40), fc.nat(40))), (whole, places) => {
        const context = newContext();
        for (const [at, end] of places) {
          const given = whole.slice(0, end);
          const from = Math.min(at, given.length);
          context.give(given, whole);
          const known = context.asciiUntil(given, from);
          expect(given.slice(from, known)).toMatch(/^[ab]*$/);
          context.searchAscii(given, from);
          const ascii = /^[ab]*/.exec(given.slice(from))?.[0] ?? '';
          expect(context.asciiUntil(given, from)).toBe(from + ascii.length);
        }
      }),
    );
  });

  test('searches a text once, however many beginnings of it are given', () => {
    const context = newContext();
    const whole = 'x'.repeat(1000);
    const search = vi.spyOn(String.prototype, 'indexOf');
    for (let end = 500; end < 1000; end++) {
      const given = whole.slice(0, end);
      context.give(given, whole);
      context.find(given, '</tool_call>', end - 500);
    }
    const { length } = search.mock.calls;
    search.mockRestore();
    expect(length).toBe(1);
  });

  test('tries what ends at one place once, however many beginnings reach it', () => {
    const context = newContext();
    const whole = '[[[[]    ';
    const tries = [6, 7, 8].map((end) => {
      const given = whole.slice(0, end);
      context.give(given, whole);
      return context.mayTryWhole(given, context.findLast(given, ']') + 1);
    });
    expect(tries).toEqual([true, false, false]);
  });

  test('asks anew in another text', () => {
    const context = newContext();
    expect(context.find('a}', '}', 0)).toBe(1);
    expect(context.mayTryWhole('a}', 2)).toBe(true);
    expect(context.find('}a', '}', 0)).toBe(0);
    expect(context.mayTryWhole('}a', 2)).toBe(true);
  });
});
