import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readOutputLines } from './output-lines.ts';

/** All lines that are neither blank nor repeated, split the simple way. */
const linesOf = (text: string): string[] =>
  text
    .replace(/\x1b\[[\d;?]*[A-Za-z]/g, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .map((line) => line.slice(line.lastIndexOf('\r') + 1))
    .filter((line) => line !== '')
    .filter((line, at, lines) => line !== lines[at - 1]);

const END = 8 * 1024;
const pieces = ['\n', '\r\n', '\r', ' ', 'ab', 'error: x', '\x1b[0m', '\x1b[', 'x'.repeat(500)];
const output = fc
  .tuple(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), fc.constantFrom(1, 2, 20))
  .map(([parts, times]) => parts.join('').repeat(times));

test('the lines at either end are those of the whole, of which only so much is read', () => {
  fc.assert(
    fc.property(output, (text) => {
      const isLong = text.length > 2 * END;
      const head = linesOf(isLong ? text.slice(0, END) : text);
      const tail = isLong ? linesOf(text.slice(-END)) : head;
      expect(readOutputLines(text)).toEqual({
        first: head.slice(0, 5),
        last: tail.slice(-5),
        all: isLong || head.length > 40 ? undefined : head,
        isOpen: text !== '' && !text.endsWith('\n'),
      });
    }),
  );
});

test('what a terminal goes back over is gone, but nothing is by going back alone', () => {
  expect(readOutputLines('10 %\r90 %\rdone\r\ncat: x: No such file\r').all).toEqual([
    'done',
    'cat: x: No such file',
  ]);
});

test('omits lines that repeat the line before them, however many they are', () => {
  const { last } = readOutputLines(`FAILED (errors=1)\n${'cleaning up\n'.repeat(1000)}`);
  expect(last).toContain('FAILED (errors=1)');
});
