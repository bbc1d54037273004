import type { Tool } from '@holdfast/core';
import type { Dice } from '../dice.ts';
import { OFFERED } from '../model/turn-script.ts';

/** How often the tool ran for each call of a wave. */
export type Ran = Map<string, number>;

/** The tools that models are offered, in this process: most calls go well, some fail in one of the ways there are. */
export function callTools(dice: Dice, ran: () => Ran): readonly Tool[] {
  return OFFERED.map((definition) => ({
    ...definition,
    annotations:
      definition.name === 'shelf__look' ? { readOnlyHint: true } : { idempotentHint: false },
    execute: ({ id }, { signal }) => {
      const effect = typeof id === 'string' ? id : '';
      ran().set(effect, (ran().get(effect) ?? 0) + 1);
      return outcomeOf(dice.between(0, 1000), effect, signal);
    },
  }));
}

function outcomeOf(draw: number, id: string, signal: AbortSignal): unknown {
  if (draw < 10) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  if (draw < 20) throw Object.assign(new Error('HTTP 503'), { status: 503 });
  if (draw < 30) return { isError: true, content: [{ type: 'text', text: `no ${id}` }] };
  if (draw < 30.2) return untilAborted(signal);
  if (draw < 200) return Promise.resolve(`done ${id}`);
  return `done ${id}`;
}

const LONGER_THAN_ANY_RUN_MS = 2 ** 31 - 1;

/** Hangs until it is given up, on something that keeps the process alive as a socket would: deadlines alone do not. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const waiting = setTimeout(() => undefined, LONGER_THAN_ANY_RUN_MS);
    const giveUp = (): void => {
      clearTimeout(waiting);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', giveUp, { once: true });
  });
}
