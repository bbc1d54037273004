import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseReader } from './sse-reader.ts';
import type { SseItem } from './sse-reader.ts';

function readAll(pieces: readonly Uint8Array[], maxLength?: number): SseItem[] {
  const reader = new SseReader(maxLength === undefined ? undefined : 4 * maxLength);
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

const TOO_LONG = {
  type: 'too-long',
  message:
    'the upstream sent an event of more than 40 characters, the most that one event may have: a quarter of proxy.maxResponseBytes',
};

function readText(text: string, maxLength?: number): SseItem[] {
  return readAll([Buffer.from(text)], maxLength);
}

describe('SseReader', () => {
  test('reads names and data, and leaves comments out', () => {
    expect(readText(': ping\n\nevent: error\ndata: a\ndata: b\n\ndata:c\n\n')).toEqual([
      { type: 'event', name: 'error', data: 'a\nb' },
      { type: 'event', data: 'c' },
    ]);
  });

  test('tells an event that lacks its closing blank line', () => {
    expect(readText('data: [DONE]')).toEqual([{ type: 'event', data: '[DONE]' }]);
  });

  test('leaves out a byte order mark', () => {
    expect(readText('\uFEFFdata: a\n\n')).toEqual([{ type: 'event', data: 'a' }]);
  });

  test('tells lines that are no fields', () => {
    expect(readText('error: {"code":500}\n\n')).toEqual([
      { type: 'stray-line', line: 'error: {"code":500}' },
    ]);
  });

  test.each([
    ['in one line', `data: ${'x'.repeat(50)}\n\ndata: next\n\n`],
    ['in many lines', `${'data: xxxx\n'.repeat(20)}\ndata: next\n\n`],
    ['that never ends', `data: ${'x'.repeat(50)}`],
  ])('stops at an event past the limit %s', (_, text) => {
    expect(readText(text, 40)).toEqual([TOO_LONG]);
    expect(
      readAll(
        [...Buffer.from(text)].map((byte) => Uint8Array.of(byte)),
        40,
      ),
    ).toEqual([TOO_LONG]);
  });

  test.each([
    ['a line that is too long, and no field', `${'x'.repeat(41)}\n\n`],
    ['a field that makes an event too long', `data: ${'x'.repeat(30)}\nid: 12345678\n\n`],
    ['lines that end in carriage returns', 'odd\rdata: a\r\rdata: b\r\n\r\n'],
    ['an event of the largest size', `data: ${'x'.repeat(34)}\r\n\r\ndata: b\n\n`],
  ])('reads %s the same at every cut', (_, text) => {
    const bytes = Buffer.from(text);
    const expected = readAll([bytes], 40);
    for (let cut = 0; cut <= bytes.length; cut++)
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)], 40), `at ${cut}`).toEqual(
        expected,
      );
  });

  test('tells a line that ends in a carriage return as soon as it came', () => {
    const reader = new SseReader();
    expect(reader.feed(Buffer.from('data: a\r\r'))).toEqual([{ type: 'event', data: 'a' }]);
  });

  test('reads the same however the bytes are cut', () => {
    const line = fc.constantFrom('data: a', 'data: é🙂', 'event: x', ': c', '', '', 'id: 1', 'odd');
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(
        fc.array(line),
        ending,
        fc.array(fc.nat({ max: 200 })),
        (lines, newline, cuts) => {
          const bytes = Buffer.from(lines.map((text) => text + newline).join(''));
          const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort(
            (one, other) => one - other,
          );
          const ends = [...places, bytes.length];
          const pieces = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
          expect(readAll(pieces)).toEqual(readAll([bytes]));
        },
      ),
    );
  });
});
