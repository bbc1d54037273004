import type { Format } from '../format.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const BRACKET = new MarkerSet(['>', '<']);
/** No list of sources is longer. */
const LONGEST = 200;

/** `</co: 0:[1,2],1:[3]>`: which documents the words before it come from. */
function* readSources(input: ScriptInput): Script<Declined | undefined> {
  if (!input.context.hasRead('cohere')) return input.decline('no answer began before');
  const { text, marker } = yield* input.until(BRACKET);
  if (marker !== '>' || text.length > LONGEST || !/^[\s\d:,[\]]*$/.test(text))
    return input.decline('it names no sources');
  input.skip(1);
  input.frame = { kind: 'markup' };
  return undefined;
}

/** Citations in the answers of Command: markup around the words they belong to. */
export const cohereCitations: readonly Format[] = [
  markupTokens(['<co>'], 'cohere'),
  scriptFormat(['</co'], readSources),
];
