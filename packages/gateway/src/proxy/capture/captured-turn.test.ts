import { describe, expect, test } from 'vitest';
import { CapturedTurn } from './captured-turn.ts';

const text = (said: string, choice = 0) => ({ type: 'text', choice, text: said }) as const;

describe('a turn that is captured', () => {
  test('has what the upstream wrote beside what the client was told', () => {
    const turn = new CapturedTurn();
    turn.heard([text('a'), text('b'), { type: 'reasoning', choice: 0, text: 'hm' }]);
    turn.tell([text('a'), { type: 'reasoning', choice: 0, text: 'hm' }, text('b'), text('c')]);
    expect([turn.raw, turn.rawReasoning]).toEqual(['ab', 'hm']);
    expect(turn.told).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'hm' },
      { kind: 'text', text: 'bc' },
    ]);
  });

  test('has calls that were told while they were read', () => {
    const turn = new CapturedTurn();
    const call = { choice: 0, index: 0 };
    turn.tell([
      { type: 'call-start', ...call, id: 'c', name: 'pay' },
      { type: 'call-delta', ...call, json: '{"cents"' },
      { type: 'call-delta', ...call, json: ':5}' },
      { type: 'call-end', ...call },
    ]);
    expect(turn.told).toEqual([
      { kind: 'call', name: 'pay', arguments: { cents: 5 }, format: undefined, repairs: [] },
    ]);
  });

  test('has the first of several answers only', () => {
    const turn = new CapturedTurn();
    turn.heard([text('one'), text('two', 1)]);
    turn.tell([text('one'), text('two', 1)]);
    expect([turn.raw, turn.told]).toEqual(['one', [{ kind: 'text', text: 'one' }]]);
  });

  test('does not grow without end', () => {
    const turn = new CapturedTurn();
    for (let chunk = 0; chunk < 1000; chunk++) turn.heard([text('x'.repeat(1000))]);
    turn.tell([text('y')]);
    expect([turn.raw.length, turn.told.length, turn.isCut]).toEqual([400_000, 0, true]);
    expect(turn.size).toBe(400_000);
  });
});
