import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExactJsonInSteps, writeExactJsonInSteps } from './exact-json-steps.ts';
import { parseExactJson, writeExactJson } from './exact-json.ts';

/** A double holds 9007199254740992 instead. */
const DIGITS = '9007199254740993';

function parse(text: string, step?: number): unknown {
  const steps = parseExactJsonInSteps(text, step);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const write = (text: string, step?: number): string =>
  [...writeExactJsonInSteps(parseExactJson(text), step)].join('');

describe('JSON that is read and written in steps', () => {
  const step = fc.integer({ min: 1, max: 40 });
  const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 5 });
  const indent = fc.integer({ min: 0, max: 3 });

  test('has the value that JSON.parse reads, whatever the step', () => {
    fc.assert(
      fc.property(value, step, indent, (said, length, spaces) => {
        const text = JSON.stringify(said, undefined, spaces);
        expect(parse(text, length)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused exactly where JSON.parse refuses it', () => {
    const broken = fc
      .array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '"a"', '1', '-', 'null', '\\', ' '))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(broken, step, (text, length) => {
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => parse(text, length)).toThrow(SyntaxError);
          return;
        }
        expect(parse(text, length)).toEqual(expected);
      }),
      { numRuns: 10 * fc.readConfigureGlobal().numRuns! },
    );
  });

  test('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(value, step, (said, length) => {
        const text = JSON.stringify(said);
        expect(write(text, length)).toBe(text);
      }),
    );
  });

  test.each([1, 5, 20, 1000])(
    'keeps digits that a double cannot hold, in steps of %d',
    (length) => {
      const text = `{"a":${DIGITS},"b":[${DIGITS},"x",[${DIGITS}]],"__proto__":{"n":-${DIGITS}}}`;
      const read = parse(text, length);
      expect(writeExactJson(read)).toBe(text);
      expect([...writeExactJsonInSteps(read as never, length)].join('')).toBe(text);
    },
  );

  test.each([1, 5, 1000])(
    'takes the last of a key that is written twice, in steps of %d',
    (length) => {
      expect(writeExactJson(parse(`{"n":${DIGITS},"n":9007199254740992}`, length))).toBe(
        '{"n":9007199254740992}',
      );
    },
  );

  test('takes steps that are small, however long the text', () => {
    for (const unit of ['{},', '"ab",', String.raw`"\"\"\"\"",`, '12,', '[[{"a":[1]}]],']) {
      const text = `[${unit.repeat(400_000 / unit.length)}0]`;
      let steps = 0;
      for (const _ of parseExactJsonInSteps(text)) steps++;
      expect(steps).toBeGreaterThanOrEqual(6);
    }
    const long = JSON.stringify({ a: [`"${'\\'.repeat(400_000)}é`] });
    expect([...parseExactJsonInSteps(long)].length).toBeGreaterThanOrEqual(6);
    expect(parse(long)).toEqual(JSON.parse(long));
    expect(write(long)).toBe(long);
  });

  test('keeps a surrogate pair together', () => {
    const text = JSON.stringify('😀'.repeat(50));
    expect(write(text, 3)).toBe(text);
    expect(parse(text, 3)).toBe('😀'.repeat(50));
  });
});
