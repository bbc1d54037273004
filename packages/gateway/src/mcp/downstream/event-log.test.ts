import { describe, expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

describe('the log of a session', () => {
  test('goes on behind the last message that a client got of a stream', () => {
    const log = new EventLog();
    const start = log.add('one', '');
    log.add('other', '"elsewhere"');
    const second = log.add('one', '"a"');
    const third = log.add('one', '"b"');
    expect(log.streamOf(second)).toBe('one');
    expect([...log.after(start)]).toEqual([
      [second, '"a"'],
      [third, '"b"'],
    ]);
    expect([...log.after(second)]).toEqual([[third, '"b"']]);
    expect([...log.after('unknown')]).toEqual([]);
  });

  test('keeps the last thousand messages', () => {
    const log = new EventLog();
    const first = log.add('one', '"first"');
    for (let n = 0; n < 999; n++) log.add('one', `"n${n}"`);
    expect(log.streamOf(first)).toBe('one');
    log.add('one', '"last"');
    expect(log.streamOf(first)).toBeUndefined();
  });

  test('keeps a million characters, and the newest message however long it is', () => {
    const log = new EventLog();
    const small = log.add('one', '"small"');
    const large = log.add('one', `"${'x'.repeat(2_000_000)}"`);
    expect(log.streamOf(small)).toBeUndefined();
    expect(log.streamOf(large)).toBe('one');
    const next = log.add('one', '"next"');
    expect(log.streamOf(large)).toBeUndefined();
    expect(log.streamOf(next)).toBe('one');
  });
});
