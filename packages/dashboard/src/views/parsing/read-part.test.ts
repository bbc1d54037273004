import { expect, test } from 'vitest';
import { addRead, NOTHING_READ } from './read-part.ts';
import type { ReadSoFar } from './read-part.ts';
import type { ParseStreamEvent } from './stream-parse.ts';

const readAll = (...events: readonly ParseStreamEvent[]): ReadSoFar =>
  events.reduce(addRead, NOTHING_READ);

const START = { type: 'call-start', id: 'c1', name: 'now', format: 'qwen' } as const;
const CALL = {
  id: 'c1',
  name: 'now',
  arguments: { zone: 'UTC' },
  format: 'qwen',
  repairs: ['single-quotes'],
  complete: true,
  lossy: false,
};

test('text and reasoning grow as they come', () => {
  const { parts, position } = readAll(
    { type: 'text-delta', text: 'a' },
    { type: 'text-delta', text: 'b' },
    { type: 'reasoning-delta', text: 'c' },
    { type: 'progress', position: 3 },
  );

  expect(parts).toEqual([
    { kind: 'text', text: 'ab' },
    { kind: 'reasoning', text: 'c' },
  ]);
  expect(position).toBe(3);
});

test('a call is there from its start, and whole at its end', () => {
  const begun = readAll(
    START,
    { type: 'call-delta', id: 'c1', fragment: '{"zo' },
    { type: 'call-delta', id: 'c1', fragment: 'ne"' },
  );
  const ended = addRead(begun, { type: 'call-end', call: CALL, raw: '' });

  expect(begun.parts).toMatchObject([{ kind: 'call', args: '{"zone"', isWhole: false }]);
  expect(ended.parts).toMatchObject([
    { kind: 'call', args: '{\n  "zone": "UTC"\n}', isWhole: true, repairs: ['single-quotes'] },
  ]);
});

test('a call that has no start is there at its end', () => {
  expect(readAll({ type: 'call-end', call: CALL, raw: '' }).parts).toHaveLength(1);
});

test('a call that turns out to be text is taken back', () => {
  const issue = { code: 'call-abandoned', message: 'it is none', offset: 0, call_id: 'c1' };
  const { parts, issues } = readAll(
    START,
    { type: 'issue', issue },
    { type: 'text-delta', text: '<tool_call>' },
  );

  expect(parts).toEqual([{ kind: 'text', text: '<tool_call>' }]);
  expect(issues).toEqual([issue]);
});
