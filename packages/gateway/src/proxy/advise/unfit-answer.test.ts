import { describe, expect, test } from 'vitest';
import type { TurnCall } from '../turn/turn-event.ts';
import { unfitAnswer } from './unfit-answer.ts';

const call = (index: number, problem?: string): TurnCall => ({
  index,
  id: `call_${index}`,
  name: 'read_file',
  arguments: {},
  json: '{}',
  format: 'native',
  repairs: [],
  ...(problem !== undefined && { problem }),
});

describe('an answer', () => {
  test('whose calls all fit is taken', () => {
    expect(unfitAnswer('Let me see.', [call(0), call(1)])).toBeUndefined();
    expect(unfitAnswer('No calls.', [])).toBeUndefined();
  });

  test('with a call that does not fit is not: each call is told why', () => {
    const calls = [call(0), call(1, 'the arguments of read_file do not fit:\n- path is missing')];
    expect(unfitAnswer('Let me see.', calls)).toEqual({
      text: 'Let me see.',
      calls,
      results: [
        'Not run: another call of this turn was not valid. Send it again with the corrected one.',
        'Not run: the arguments of read_file do not fit:\n- path is missing\nSend the call again, corrected.',
      ],
    });
  });

  test('is told of a long list of problems only as much as helps', () => {
    const [result = ''] = unfitAnswer('', [call(0, 'x'.repeat(5000))])?.results ?? [];
    expect(result.length).toBeLessThan(1050);
    expect(result).toMatch(/x…\nSend the call again, corrected\.$/);
    const [cut = ''] = unfitAnswer('', [call(0, `x${'😀'.repeat(2000)}`)])?.results ?? [];
    expect(cut).not.toMatch(/\p{Cs}/u);
  });
});
