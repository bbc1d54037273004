import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { LineQuota } from './line-quota.ts';
import { StderrTail } from './stderr-tail.ts';

function makeTail(perSecond = 1000): {
  readonly tail: StderrTail;
  readonly lines: string[];
  readonly dropped: number[];
  readonly clock: ManualClock;
} {
  const lines: string[] = [];
  const dropped: number[] = [];
  const clock = new ManualClock();
  const onDropped = (count: number): void => void dropped.push(count);
  const quota = new LineQuota({ perSecond, clock, onDropped });
  return { tail: new StderrTail(quota, (line) => lines.push(line)), lines, dropped, clock };
}

describe('standard error', () => {
  test('goes to the log line by line, however it is cut', () => {
    const { tail, lines } = makeTail();
    for (const part of ['one\ntw', 'o', '\r\n\n  \nthr', 'ee']) tail.push(Buffer.from(part));
    expect(lines).toEqual(['one', 'two']);
    tail.end();
    expect(lines).toEqual(['one', 'two', 'three']);
    expect(tail.lastLine()).toBe('three');
  });

  test('cannot do anything to a terminal', () => {
    const { tail, lines } = makeTail();
    tail.push(Buffer.from('\u001b[2Jgone\rover\n'));
    expect(lines).toEqual(['<U+001B>[2Jgone<U+000D>over']);
    expect(tail.lastLine()).toBe('<U+001B>[2Jgone<U+000D>over');
  });

  test('is kept up to its last 64 KB', () => {
    const { tail } = makeTail();
    let all = '';
    for (const size of [10, 60_000, 1, 7000, 200_000, 3, 65_536, 65_535, 5]) {
      const text = String.fromCharCode(97 + (size % 26)).repeat(size);
      all += text;
      tail.push(Buffer.from(text));
      expect(tail.text()).toBe(all.slice(-65_536));
    }
  });

  test('in a flood is counted, and told when the second is over', async () => {
    const { tail, lines, dropped, clock } = makeTail(2);
    tail.push(Buffer.from('1\n2\n3\n4\n5\n6'));
    tail.push(Buffer.from('6\n7\n'));
    expect(lines).toEqual(['1', '2']);
    expect(dropped).toEqual([]);
    await clock.advance(1000);
    tail.push(Buffer.from('8\n'));
    expect(lines).toEqual(['1', '2', '8']);
    expect(dropped).toEqual([5]);
    tail.end();
    expect(dropped).toEqual([5]);
  });

  test('in a flood is told of at the end at the latest', () => {
    const { tail, dropped } = makeTail(1);
    tail.push(Buffer.from('1\n2\n3\n'));
    tail.end();
    expect(dropped).toEqual([2]);
  });

  test('with a line without an end shows the beginning of it', () => {
    const { tail, lines } = makeTail();
    for (let i = 0; i < 100; i++) tail.push(Buffer.alloc(1000, 'x'));
    tail.push(Buffer.from('\nnext\n'));
    expect(lines).toEqual(['x'.repeat(2000), 'next']);
  });
});
