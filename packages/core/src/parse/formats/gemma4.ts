import { FormatParser } from '../format-parser.ts';
import { KeyValueMarkup } from '../key-value/key-value-markup.ts';
import { keyValueBlock } from '../key-value/read-key-value-block.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

const MARKUP = new KeyValueMarkup({
  begin: '<|tool_call>',
  end: '<tool_call|>',
  quote: '<|"|>',
  // Where the answer of the tool would stand.
  noise: ['<|tool_response>'],
});

const CHANNEL = '<|channel>';
const CHANNEL_END = '<channel|>';
const CHANNEL_ENDS = new MarkerSet([CHANNEL_END, CHANNEL, MARKUP.begin]);

/** A channel without the word `thought`. It is thought all the same if it ends. */
function* readChannel(input: ScriptInput): Script<Declined | undefined> {
  if (yield* input.startsWith(CHANNEL)) {
    input.frame = { kind: 'markup' };
    return undefined;
  }
  const { marker } = yield* input.until(CHANNEL_ENDS);
  if (marker !== CHANNEL_END) return input.decline('the channel has no end');
  input.frame = { kind: 'reasoning', ends: [{ text: CHANNEL_END }] };
  input.endsAt = 0;
  return undefined;
}

/** The end of a channel that did not begin, at the end of the text, where models leave it. */
function* readStrayEnd(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.isAtEnd())) return input.decline('no channel began');
  input.frame = { kind: 'markup' };
  input.endsAt = 0;
  return undefined;
}

export const gemma4: FormatParser = new FormatParser({
  name: 'gemma4',
  formats: [
    {
      ...scriptFormat([MARKUP.begin], keyValueBlock(MARKUP)),
      reasoning: [{ open: `${CHANNEL}thought`, close: CHANNEL_END }],
    },
    scriptFormat([CHANNEL], readChannel),
    scriptFormat([CHANNEL_END], readStrayEnd),
  ],
  sample: '<|tool_call>call:read_file{path:<|"|>notes.md<|"|>,lines:20}<tool_call|>',
  models: ['gemma-4', 'gemma4'],
});
