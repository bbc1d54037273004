import { expect, test } from 'vitest';
import { TurnRecord } from './turn-record.ts';

test('a record has the calls that were told whole and those told in pieces', () => {
  const record = new TurnRecord(Infinity);
  const json = '{"a":1}';
  const whole = {
    index: 0,
    id: 'one',
    name: 'f',
    arguments: { a: 1 },
    json,
    format: '',
    repairs: [],
  };
  record.add([
    { type: 'text', choice: 0, text: 'Hi' },
    { type: 'call', choice: 0, call: whole },
    { type: 'call-start', choice: 0, index: 1, id: 'two', name: 'g' },
    { type: 'call-delta', choice: 0, index: 1, json: '{"b"' },
    { type: 'call-delta', choice: 0, index: 1, json: ':2}' },
    { type: 'call-end', choice: 0, index: 1 },
    { type: 'call-start', choice: 0, index: 2, id: 'three', name: 'cut' },
    { type: 'finish', choice: 0, reason: 'tool-calls' },
  ]);
  expect(record).toMatchObject({ text: 'Hi', finish: 'tool-calls' });
  expect(record.calls.map(({ id, arguments: args }) => [id, args])).toEqual([
    ['one', { a: 1 }],
    ['two', { b: 2 }],
  ]);
});

test('text is kept only where it is asked for', () => {
  const record = new TurnRecord(0);
  record.add([{ type: 'text', choice: 0, text: 'secret' }]);
  expect(record.text).toBe('');
});
