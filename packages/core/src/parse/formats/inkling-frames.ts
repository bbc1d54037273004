import type { Format, ReasoningEnd } from '../format.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const MESSAGE = '<|message_model|>';
const CALL = '<|content_invoke_tool_json|>';
const THOUGHT = '<|content_thinking|>';
const END = '<|end_message|>';
const OVER = '<|content_model_end_sampling|>';
const TEXTS = ['<|content_text|>', '<|content_invoke_tool_text|>', '<|content_tool_error|>'];
const CONTENTS = new MarkerSet([...TEXTS, CALL, THOUGHT, MESSAGE, END, OVER]);
const THOUGHT_ENDS: readonly ReasoningEnd[] = [
  { text: END },
  { text: OVER },
  { text: MESSAGE, beginsNext: true },
  { text: CALL, beginsNext: true },
];
/** No header is longer; prose is. */
const LONGEST_HEADER = 128;

/** `<|message_model|>` and a name, up to what the message holds. */
function* readHeader(input: ScriptInput): Script<Declined | undefined> {
  const { text, marker } = yield* input.until(CONTENTS);
  if (text.length > LONGEST_HEADER || (marker === undefined && text.trim() !== ''))
    return input.decline('no message follows');
  input.frame = { kind: 'markup' };
  return undefined;
}

// eslint-disable-next-line require-yield -- the token is all there at once
function* readThought(input: ScriptInput): Script<Declined | undefined> {
  input.frame = { kind: 'reasoning', ends: THOUGHT_ENDS };
  return undefined;
}

/** The messages of Inkling: what they hold is told by a token. */
export const inklingFrames: readonly Format[] = [
  scriptFormat([MESSAGE], readHeader),
  scriptFormat([THOUGHT], readThought),
  markupTokens([...TEXTS, OVER]),
  markupTokens([END], 'inkling'),
];
