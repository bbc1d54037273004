import type { Format } from '../format.ts';
import { scriptFormat } from './script-format.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/**
 * Control tokens that are no text. With `parser`, only where that parser has read something before: tokens
 * that prose may mention are markup only in a text that is written with them.
 */
export function markupTokens(tokens: readonly string[], parser?: string): Format {
  // eslint-disable-next-line require-yield -- a token is all there at once
  function* readToken(input: ScriptInput): Script<Declined | undefined> {
    if (parser !== undefined && !input.context.hasRead(parser))
      return input.decline('nothing of its kind came before');
    input.frame = { kind: 'markup' };
    return undefined;
  }
  return scriptFormat(tokens, readToken);
}
