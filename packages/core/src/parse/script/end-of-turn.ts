import type { Format } from '../format.ts';
import { scriptFormat } from './script-format.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/** Tokens that end an answer: markup where nothing but space follows them, text where something does. */
export function endOfTurn(...tokens: readonly string[]): Format {
  function* readToken(input: ScriptInput): Script<Declined | undefined> {
    const end = input.offset;
    yield* input.skipSpace();
    if (!(yield* input.isAtEnd())) return input.decline('text follows');
    input.endsAt = end;
    input.frame = { kind: 'markup' };
    return undefined;
  }
  return scriptFormat(tokens, readToken);
}
