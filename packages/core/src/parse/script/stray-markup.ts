import type { Format } from '../format.ts';
import type { Declined, Script } from './script.ts';
import { scriptFormat } from './script-format.ts';
import type { ScriptInput } from './script-input.ts';

/**
 * Control tokens of a dialect that stand on their own: markup once its parser has read something in the
 * text, since prose that speaks of them has no calls.
 */
export function strayMarkup(parser: string, tokens: readonly string[]): Format {
  // eslint-disable-next-line require-yield -- a script that needs no more text
  function* readToken(input: ScriptInput): Script<Declined | undefined> {
    if (!input.context.hasRead(parser)) return input.decline('no call was read before');
    input.frame = { kind: 'markup' };
    return undefined;
  }
  return scriptFormat(tokens, readToken);
}
