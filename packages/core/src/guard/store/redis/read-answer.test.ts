import { describe, expect, it } from 'vitest';
import { rawAnswerOf, readAnswer } from './read-answer.ts';

const ANSWER = [
  ...['1', '0', '1700000000001', 'open', '1500.5', '2', 'probe_failed', null, 'a'],
  ...['9', '8', '7', '99.5', '0'],
];

const changed = (at: number, value: unknown): readonly unknown[] =>
  ANSWER.with(at, value as string);

const read = (reply: unknown): ReturnType<typeof readAnswer> => {
  const raw = rawAnswerOf(reply);
  return raw === undefined ? undefined : readAnswer(raw);
};

describe('readAnswer', () => {
  it('reads how a circuit stands', () => {
    expect(read(ANSWER)).toEqual({
      isTransition: true,
      isGranted: false,
      shared: {
        version: 1_700_000_000_001,
        state: 'open',
        openForMs: 1500.5,
        openings: 2,
        reason: 'probe_failed',
        note: undefined,
        replica: 'a',
        calls: 9,
        failures: 8,
        slow: 7,
        tokens: 99.5,
        probeInMs: 0,
      },
    });
  });

  it('reads a time without an end', () => {
    expect(read(changed(4, 'inf'))?.shared.openForMs).toBe(Infinity);
  });

  it('reads numbers as a client gives them', () => {
    const numbers = ANSWER.map((text, at) =>
      [0, 1, 2, 5, 9, 10, 11].includes(at) ? Number(text) : text,
    );
    const large = ANSWER.map((text, at) => (at === 2 ? 1_700_000_000_001n : text));

    expect([read(numbers), read(large)]).toEqual([read(ANSWER), read(ANSWER)]);
  });

  it('reads texts that a client gives as bytes', () => {
    const bytes = ANSWER.map((text) => (text === null ? null : new TextEncoder().encode(text)));

    expect(read(bytes)).toEqual(read(ANSWER));
  });

  it('knows no reason that a later version may have', () => {
    expect(read(changed(6, 'moon_is_full'))?.shared.reason).toBeUndefined();
    expect(read(changed(6, '__proto__'))?.shared.reason).toBeUndefined();
  });

  it('reads whether a step was a transition, and whether a place was granted', () => {
    expect(read(changed(0, '0'))).toMatchObject({ isTransition: false, isGranted: false });
    expect(read(changed(1, '1'))).toMatchObject({ isTransition: true, isGranted: true });
  });

  it('reads every state and every reason, and a note', () => {
    for (const state of ['closed', 'open', 'half-open'])
      expect(read(changed(3, state))?.shared.state).toBe(state);
    for (const reason of ['failure_threshold_exceeded', 'slow_ratio_exceeded', 'isolated', 'reset'])
      expect(read(changed(6, reason))?.shared.reason).toBe(reason);
    expect(read(changed(6, null))?.shared.reason).toBeUndefined();
    expect(read(changed(7, 'night shift'))?.shared.note).toBe('night shift');
    expect(read(changed(8, null))?.shared.replica).toBeUndefined();
  });

  // Each in a list of its own: a list would be taken for several arguments.
  it.each([
    [undefined],
    [null],
    ['OK'],
    [[]],
    [ANSWER.slice(1)],
    [[...ANSWER, '1']],
    [changed(3, 'ajar')],
    [changed(3, '')],
    [changed(3, null)],
    [changed(2, 'x')],
    [changed(2, '')],
    [changed(2, null)],
    [changed(9, null)],
    [changed(13, 'NaN')],
    [changed(0, true)],
    [changed(4, {})],
    [changed(8, undefined)],
  ])('does not take %j for an answer', (reply) => {
    expect(read(reply)).toBeUndefined();
  });
});
