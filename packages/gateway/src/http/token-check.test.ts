import { expect, test } from 'vitest';
import { createTokenCheck } from './token-check.ts';
import type { TokenCheck } from './token-check.ts';

const check = createTokenCheck('the-token');

test.each([
  [{ authorization: 'Bearer the-token' }, ['authorization']],
  [{ authorization: 'bearer  the-token' }, ['authorization']],
  [{ 'x-api-key': 'the-token' }, ['x-api-key']],
  [{ 'x-holdfast-token': 'the-token' }, ['x-holdfast-token']],
  [{ 'x-holdfast-token': 'the-token', authorization: 'Bearer upstream' }, ['x-holdfast-token']],
  [{ 'x-api-key': 'the-token', authorization: 'Bearer the-token' }, ['authorization', 'x-api-key']],
  [{ 'x-api-key': 'the-token', 'x-holdfast-token': 'old' }, ['x-api-key', 'x-holdfast-token']],
])('%j shows the token, in %j', (headers, holding) => {
  expect(check(headers)).toEqual(holding);
});

test.each([
  {},
  { authorization: 'Bearer the-toke' },
  { authorization: 'Bearer the-token2' },
  { authorization: 'Basic the-token' },
  { authorization: 'the-token' },
  { authorization: 'Bearer' },
  { 'x-api-key': '' },
  { 'x-api-key': 'THE-TOKEN' },
  { 'x-api-key': 'the-token, the-token' },
])('%j does not', (headers) => {
  expect(() => check(headers)).toThrow('this gateway needs its token');
});

test('a refusal does not repeat what was sent', () => {
  expect(() => check({ authorization: 'Bearer CANARY' })).toThrow(
    /not what came in authorization$/,
  );
});

test('a near miss takes as long to refuse as any other', () => {
  const token = 'k'.repeat(64);
  const guard = createTokenCheck(token);
  const near = `${token.slice(0, -1)}x`;
  const far = `x${token.slice(1)}`;
  const best = { near: Infinity, far: Infinity };
  // The minimum of many turns is what it takes; the rest is what else the machine does.
  for (let turn = 0; turn < 400; turn++) {
    best.near = Math.min(best.near, timeOfGuesses(guard, near));
    best.far = Math.min(best.far, timeOfGuesses(guard, far));
  }
  expect(best.near / best.far).toBeGreaterThan(0.9);
  expect(best.near / best.far).toBeLessThan(1.1);
});

const GUESSES = 20;

function timeOfGuesses(guard: TokenCheck, guess: string): number {
  const headers = { 'x-api-key': guess };
  const startedAt = performance.now();
  for (let tries = 0; tries < GUESSES; tries++) {
    try {
      guard(headers);
    } catch {
      // Each of them is refused.
    }
  }
  return performance.now() - startedAt;
}

test('without a token everybody is let in, and other keys are for the upstream', () => {
  const open = createTokenCheck(undefined);

  expect(open({ authorization: 'Bearer upstream' })).toEqual([]);
  expect(open({ 'x-holdfast-token': 'left over' })).toEqual(['x-holdfast-token']);
});
