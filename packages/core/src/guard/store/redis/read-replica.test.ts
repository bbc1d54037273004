import { describe, expect, it } from 'vitest';
import { readReplica } from './read-replica.ts';

const RECORD = {
  id: 'a',
  startedAt: 1,
  notClosed: ['search'],
  circuits: 2,
  calls: 3,
  failures: 4,
  version: '0.1.0',
};

describe('readReplica', () => {
  it('reads what a replica wrote of itself, and nothing else', () => {
    expect(readReplica(JSON.stringify({ ...RECORD, more: 1 }))).toEqual(RECORD);
  });

  it('leaves out names that are none', () => {
    const text = JSON.stringify({ ...RECORD, notClosed: ['a', 1, null, 'b'] });
    expect(readReplica(text)?.notClosed).toEqual(['a', 'b']);
  });

  it.each(Object.keys(RECORD))('takes nothing for a replica that has no %s', (key) => {
    for (const value of [undefined, true, {}])
      expect(readReplica(JSON.stringify({ ...RECORD, [key]: value }))).toBeUndefined();
  });

  it.each(['', '{', 'null', '"a"', '7', '[]'])('takes %j for no replica', (text) => {
    expect(readReplica(text)).toBeUndefined();
  });
});
