import { describe, expect, test } from 'vitest';
import { beginCall, dropCall, endCall } from './rounds.ts';
import type { RoundState } from './rounds.ts';

const empty: RoundState = { round: 0, roundIsOpen: false, namedRound: '', pending: [] };

/** The round of each end (`)`), of calls that begin with `(` and a letter. */
function roundsOf(script: readonly string[], round?: (name: string) => string): number[] {
  let state = empty;
  const rounds: number[] = [];
  for (const [what, name = ''] of script.map((step) => [step[0], step.slice(1)] as const)) {
    const call = { tool: name, ...(round !== undefined && { round: round(name) }) };
    if (what === '(') state = beginCall(state, call, name);
    else {
      const ended = endCall(state, call, name);
      rounds.push(ended.own);
      state = ended.rounds;
    }
  }
  return rounds;
}

describe('a round', () => {
  test.each([
    ['is one call after the other', ['(a', ')a', '(b', ')b'], [1, 2]],
    ['is all that begins before anything ends', ['(a', '(b', ')b', ')a', '(c', ')c'], [1, 1, 2]],
    ['is counted where only ends are told', [')a', ')b'], [1, 2]],
    ['is not held open by a call that never ends', ['(a', '(b', ')b', '(c', ')c'], [1, 2]],
    ['holds the same call twice', ['(a', '(a', ')a', ')a'], [1, 1]],
  ])('%s', (_, script, rounds) => {
    expect(roundsOf(script)).toEqual(rounds);
  });

  test('is what the host says it is', () => {
    const byLetter = (name: string): string => name.slice(0, 1);
    expect(roundsOf(['(a1', ')a1', '(a2', ')a2', '(b1', ')b1'], byLetter)).toEqual([1, 1, 2]);
    expect(roundsOf([')a1', ')a2', ')b1'], byLetter)).toEqual([1, 1, 2]);
  });

  test('forgets a call that was stopped', () => {
    const state = dropCall(beginCall(empty, { tool: 'a' }, 'a'), { tool: 'a' }, 'a');
    expect(state.pending).toEqual([]);
  });

  test('pairs calls by their ids', () => {
    let state = beginCall(empty, { tool: 'a', id: '1' }, 'a');
    state = { ...state, roundIsOpen: false };
    state = beginCall(state, { tool: 'a', id: '2' }, 'a');
    expect(endCall(state, { tool: 'a', id: '2' }, 'a').own).toBe(2);
    expect(endCall(state, { tool: 'a', id: '1' }, 'a').own).toBe(1);
  });
});
