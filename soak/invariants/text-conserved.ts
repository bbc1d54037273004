import type { ToldTurn } from '../clients/ask-turn.ts';
import { textWithout } from '../model/turn-script.ts';
import type { Turn } from '../model/turn.ts';
import { isSuccess } from './calls-complete.ts';
import type { Violations } from './violations.ts';

/** The text that the model says outside of calls arrives byte for byte; of a turn that broke off, from its beginning on. */
export function checkTextConserved({ script }: Turn, told: ToldTurn, violations: Violations): void {
  const expected = textWithout(script, told.calls.length);
  const isKept = isSuccess(told) ? told.text === expected : expected.startsWith(told.text);
  violations.check(
    'text-conserved',
    isKept,
    () =>
      `turn ${script.id}: expected ${isSuccess(told) ? '' : 'a part of '}${JSON.stringify(expected)}, told ${JSON.stringify(told.text)}`,
  );
}
