import { describe, expect, test } from 'vitest';
import { readSegmentLine, writeSegmentLine } from './segment-line.ts';

const LINE = writeSegmentLine({ at: 12, number: 3, about: { tool: 'löschen\n🔎', calls: [1] } });

describe('a line of a segment', () => {
  test('reads back as it was written, on one line', () => {
    expect(LINE.indexOf('\n')).toBe(LINE.length - 1);
    expect(readSegmentLine(LINE.slice(0, -1))).toEqual({
      at: 12,
      number: 3,
      about: { tool: 'löschen\n🔎', calls: [1] },
    });
  });

  test('is none wherever it is cut off', () => {
    const whole = Buffer.from(LINE).subarray(0, -1);
    for (let end = 0; end < whole.length; end++) {
      expect(readSegmentLine(whole.subarray(0, end).toString())).toBeUndefined();
    }
  });

  test('is none where one byte of it is another', () => {
    const whole = Buffer.from(LINE).subarray(0, -1);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(readSegmentLine(changed.toString())).toBeUndefined();
    }
  });

  test.each(['', '{}', '00000000 {}', 'a3830348 {}', '________ {"at":1,"number":1}'])(
    'is none that nobody wrote: %j',
    (line) => {
      expect(readSegmentLine(line)).toBeUndefined();
    },
  );
});
