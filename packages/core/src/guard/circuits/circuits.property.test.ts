import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.ts';
import { Circuits } from '../circuits.ts';

const IDLE = 1000;
const MOST = 4;

type Step =
  | { readonly do: 'use'; readonly name: string; readonly isFailure: boolean }
  | { readonly do: 'look'; readonly name: string }
  | { readonly do: 'isolate'; readonly name: string }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'sweep' };

const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', '__proto__');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('use'), name, isFailure: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look'), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('isolate'), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait'), ms: fc.nat(600) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep') }) },
);

describe('circuits, whatever is done with them', () => {
  test('stay few, keep their settings, and lose nothing that is open or in use to a sweep', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const clock = new ManualClock();
        const usedAt = new Map<string, number>();
        const isolated = new Set<string>();
        const circuits = new Circuits({
          clock,
          idleMs: IDLE,
          sweepEveryMs: 10_000_000,
          maxCircuits: MOST,
          defaults: { consecutiveFailures: 2, openForMs: 500 },
          overrides: { a: { consecutiveFailures: 1, openForMs: 5000 } },
        });
        for (const one of steps) {
          switch (one.do) {
            case 'use': {
              usedAt.set(one.name, clock.now());
              const circuit = circuits.get(one.name);
              const admission = circuit.acquire();
              if (isolated.has(one.name)) expect('isRefused' in admission).toBe(true);
              if (!('isRefused' in admission))
                circuit.settle(
                  admission,
                  one.isFailure ? { class: 'server', message: 'down' } : undefined,
                );
              break;
            }
            case 'look': {
              const before = circuits.list();
              circuits.peek(one.name)?.metrics();
              circuits.healthy(one.name);
              expect(circuits.list()).toEqual(before);
              break;
            }
            case 'isolate':
              usedAt.set(one.name, clock.now());
              isolated.add(one.name);
              circuits.get(one.name).isolate('by hand');
              break;
            case 'wait':
              clock.skip(one.ms);
              break;
            case 'sweep': {
              const states = circuits.states();
              for (const removed of circuits.sweep()) {
                expect(states.get(removed)).not.toBe('open');
                expect(clock.now() - (usedAt.get(removed) ?? 0)).toBeGreaterThanOrEqual(IDLE);
              }
              for (const kept of circuits.list())
                if (clock.now() - kept.lastUsedAt >= IDLE) expect(kept.state).toBe('open');
            }
          }
          expect(circuits.size).toBeLessThanOrEqual(Math.max(MOST, isolated.size + 1));
          for (const circuit of circuits.list())
            expect(circuit.settings.consecutiveFailures).toBe(circuit.name === 'a' ? 1 : 2);
          for (const by of isolated) expect(circuits.healthy(by)).toBe(false);
        }
      }),
    );
  });
});
