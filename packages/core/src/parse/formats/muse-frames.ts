import type { Format, ReasoningEnd } from '../format.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const MESSAGE = '<|message|>';
const ENDS = ['<|eom|>', '<|eot|>'];
const HEADER_END = new MarkerSet([MESSAGE, '<|start|>', '<|channel|>', '<|end|>', ...ENDS]);
const THOUGHT_ENDS: readonly ReasoningEnd[] = ENDS.map((text) => ({ text }));
/** No recipient is longer; prose is. */
const LONGEST_HEADER = 160;

/** `<|start|>assistant to=RECIPIENT<|message|>`: `self` is thought to, `user` is spoken to, others are tools. */
function* readHeader(input: ScriptInput): Script<Declined | undefined> {
  // What is said to the user ends with its message: a header in it is quoted.
  if (input.context.mode === 'user') return input.decline('it stands in a message to the user');
  const { text, marker } = yield* input.until(HEADER_END);
  const words = text
    .slice(0, LONGEST_HEADER)
    .trim()
    .replace(/^assistant\b/, '')
    .trim();
  const recipient = /^to=([^\s<]+)$/.exec(words)?.[1];
  if (marker !== MESSAGE || text.length > LONGEST_HEADER || recipient === undefined)
    return input.decline('no header of a message follows');
  input.skip(MESSAGE.length);
  if (recipient === 'self') input.frame = { kind: 'reasoning', ends: THOUGHT_ENDS };
  else if (recipient === 'user') input.frame = { kind: 'markup', mode: 'user', isForUser: true };
  else input.frame = { kind: 'markup', mode: 'tool' };
  return undefined;
}

/** The messages of Muse Glimmer, told apart by whom they are addressed to. */
export const museFrames: readonly Format[] = [
  scriptFormat([{ text: 'to=', at: 'text-start', bodyFrom: 0 }, '<|start|>'], readHeader),
  markupTokens(ENDS, 'muse-glimmer'),
];
