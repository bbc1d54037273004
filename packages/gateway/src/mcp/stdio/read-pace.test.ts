import { describe, expect, test } from 'vitest';
import { ReadPace } from './read-pace.ts';

/** How long a pace waits in all while so many chunks are read, each with messages over the limit. */
function waited(chunks: number, bytes: number, messages: number): number {
  const pace = new ReadPace();
  let ms = 0;
  for (let chunk = 0; chunk < chunks; chunk++) {
    for (let message = 0; message < messages; message++) pace.slowDown();
    ms += pace.pauseAfter(bytes);
  }
  return ms;
}

describe('reading a server', () => {
  test('is never paused while it keeps its limit', () => {
    expect(waited(1000, 65_536, 0)).toBe(0);
  });

  test.each([
    ['in large chunks', 100, 65_536, 700],
    ['message by message', 70_000, 94, 1],
    ['in large messages', 100, 65_536, 1],
  ])('is paused in proportion when it floods %s', (_, chunks, bytes, messages) => {
    const ms = waited(chunks, bytes, messages);
    expect(ms).toBeGreaterThan(5000);
    expect(ms).toBeLessThan(10_000);
  });

  test('is never paused for more than 200 ms', () => {
    expect(waited(1, 10_000_000, 100_000)).toBe(200);
  });
});
