import { FormatParser } from '../format-parser.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isToolName } from '../xml/tool-name.ts';
import { isSpace, NEWLINE } from '../json/char-code.ts';

const OPENING = '<tool: function>';
const END = '</tool>';
/** A plain command may mention the end of a call: it ends only at the beginning of a line. */
const COMMAND_MARKERS = new MarkerSet([`\n${END}`, `\r\n${END}`, OPENING]);
/** No name is longer; prose is. */
const LONGEST_NAME = 128;

/** A line with the name of a tool, then JSON or a plain command. */
function* readBlock(input: ScriptInput): Script<Declined | undefined> {
  // In prose, text follows the tag on its line.
  yield* input.takeWhile((code) => isSpace(code) && code !== NEWLINE, LONGEST_NAME);
  if (!(yield* input.take('\n'))) return input.decline('no line follows');
  const name = yield* input.takeWhile((code) => !isSpace(code) && code !== LESS_THAN, LONGEST_NAME);
  if (!isToolName(input.context, name)) return input.decline('it names no tool');
  const space = yield* input.takeWhile(isSpace, Number.POSITIVE_INFINITY);
  if (yield* input.isAtEnd()) {
    input.resemblesCall = space !== '';
    return input.cutShort();
  }
  const isEnd = yield* input.startsWith(END);
  if (space === '' && !isEnd) return input.decline('it names no tool');
  const draft = input.beginCall(name);
  if (isEnd || (yield* input.startsWith('{')))
    return yield* readArguments(input, draft, { marker: END, next: OPENING });
  draft.openString('command');
  for (;;) {
    const { marker } = yield* input.until(COMMAND_MARKERS, (piece) => draft.append(piece));
    if (marker === undefined) return input.cutShort();
    input.skip(marker.length);
    if (marker !== OPENING) break;
    // The next call may begin here, and the end of this one may be lost.
    draft.append(marker);
    draft.markLossy();
  }
  input.endCall(draft);
  return undefined;
}

const LESS_THAN = 0x3c;

/** `<tool: function>` around a name and its arguments as JSON, or a command for it. */
export const cwm: FormatParser = new FormatParser({
  name: 'cwm',
  formats: [scriptFormat([OPENING], readBlock)],
  sample: '<tool: function>\nread_file {"path": "notes.md"}\n</tool>',
  models: ['cwm'],
});
