import { describe, expect, test } from 'vitest';
import { createFaults } from './create-faults.ts';
import type { FaultOptions } from './create-faults.ts';
import type { FaultKind } from './fault.ts';

function deal(options: FaultOptions, count: number): FaultKind[] {
  const faults = createFaults(options);
  return Array.from({ length: count }, () => faults.next().kind);
}

describe('createFaults', () => {
  test('deals out the script, and lets calls through behind its end', () => {
    expect(deal({ script: ['ok', 'error', 'hang'] }, 5)).toEqual([
      'ok',
      'error',
      'hang',
      'ok',
      'ok',
    ]);
  });

  test('begins the script anew if it is to repeat', () => {
    expect(deal({ script: ['error', 'ok'], repeats: true }, 5)).toEqual([
      'error',
      'ok',
      'error',
      'ok',
      'error',
    ]);
  });

  test('leaves calls behind the end of the script to chance', () => {
    expect(deal({ script: ['ok'], chances: { error: 1 } }, 3)).toEqual(['ok', 'error', 'error']);
  });

  test('deals out faults about as often as asked for, the same ones for the same seed', () => {
    const options = { chances: { error: 0.3, hang: 0.1 }, seed: 4 };
    const dealt = deal(options, 1000);
    const share = (kind: FaultKind): number => dealt.filter((one) => one === kind).length / 1000;
    expect(share('error')).toBeCloseTo(0.3, 1);
    expect(share('hang')).toBeCloseTo(0.1, 1);
    expect(share('ok')).toBeCloseTo(0.6, 1);
    expect(deal(options, 1000)).toEqual(dealt);
    expect(deal({ ...options, seed: 5 }, 1000)).not.toEqual(dealt);
  });

  test('says what it dealt out', () => {
    const faults = createFaults({ script: ['error', { kind: 'latency', latencyMs: 5 }] });
    faults.next();
    faults.next();
    expect(faults.dealt).toEqual(['error', 'latency']);
  });

  test('gives each fault what it needs', () => {
    const faults = createFaults({
      script: [
        'latency',
        { kind: 'latency', latencyMs: 5 },
        { kind: 'error', error: 'own' },
        'error',
        { kind: 'malformed', result: undefined },
        { kind: 'is-error', text: 'no such file' },
      ],
      latencyMs: 70,
      error: () => 'made',
    });
    expect(faults.dealt.length).toBe(0);
    expect([1, 2, 3, 4, 5, 6].map(() => faults.next())).toEqual([
      { kind: 'latency', latencyMs: 70 },
      { kind: 'latency', latencyMs: 5 },
      { kind: 'error', error: 'own' },
      { kind: 'error', error: 'made' },
      { kind: 'malformed', result: undefined },
      {
        kind: 'is-error',
        result: { content: [{ type: 'text', text: 'no such file' }], isError: true },
      },
    ]);
  });

  test.each<[object, string]>([
    [{ script: 'error' }, 'faults.script: expected an array of faults (ok, error,'],
    [{ script: ['boom'] }, 'faults.script: expected an array of faults (ok, error,'],
    [{ script: [{ kind: 'boom' }] }, 'faults.script: expected an array of faults (ok, error,'],
    [{ chances: { error: 1.5 } }, 'faults.chances.error: expected a number from 0 to 1, got 1.5'],
    [{ chances: { boom: 0.5 } }, 'faults.chances.boom: expected an option that exists (ok, error,'],
    [
      { chances: { error: 0.75, hang: 0.5 } },
      'faults.chances: expected at most 1 in all, got 1.25',
    ],
    [{ seed: 0.5 }, 'faults.seed: expected a whole number, got 0.5'],
    [{ latencyMs: -1 }, 'faults.latencyMs: expected milliseconds, at least 0, got -1'],
    [{ probability: 0.5 }, 'faults.probability: expected an option that exists (script, repeats,'],
  ])('refuses %o', (options, message) => {
    expect(() => createFaults(options)).toThrow(message);
  });
});
