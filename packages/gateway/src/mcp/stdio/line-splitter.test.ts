import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineSplitter } from './line-splitter.ts';

interface Told {
  readonly lines: string[];
  readonly tooLong: () => number;
  readonly splitter: LineSplitter;
}

function listen(maxBytes = 1000): Told {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = new LineSplitter(maxBytes, {
    line: (text) => void lines.push(text),
    tooLong: () => void (tooLong += 1),
  });
  return { lines, tooLong: () => tooLong, splitter };
}

describe('lines', () => {
  test('are the same however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', ''))),
        fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
        (written, cuts) => {
          const told = listen(100_000);
          const bytes = Buffer.from(written.map((line) => `${line}\n`).join(''));
          for (let at = 0, cut = 0; at < bytes.length; cut++) {
            const size = cuts[cut % cuts.length]!;
            told.splitter.feed(bytes.subarray(at, at + size));
            at += size;
          }
          expect(told.lines).toEqual(written);
          expect(told.splitter.end()).toBe(0);
        },
      ),
    );
  });

  test('may be as long as the limit and no longer, in one chunk or many', () => {
    for (const size of [1, 3, 1000]) {
      const told = listen(10);
      const bytes = Buffer.from('0123456789\nabc\n0123456789x\nlost\n');
      for (let at = 0; at < bytes.length; at += size) {
        told.splitter.feed(bytes.subarray(at, at + size));
      }
      expect(told.lines).toEqual(['0123456789', 'abc']);
      expect(told.tooLong()).toBe(1);
    }
  });

  test('that have no end are counted and dropped', () => {
    const told = listen();
    told.splitter.feed(Buffer.from('one\ntw'));
    told.splitter.feed(Buffer.from('o'));
    expect(told.splitter.end()).toBe(3);
    expect(told.lines).toEqual(['one']);
  });

  test('are not read after a listener has stopped it', () => {
    const lines: string[] = [];
    const splitter: LineSplitter = new LineSplitter(100, {
      line: (text) => {
        lines.push(text);
        splitter.stop();
      },
      tooLong: () => undefined,
    });
    splitter.feed(Buffer.from('one\ntwo\n'));
    expect(lines).toEqual(['one']);
  });
});
