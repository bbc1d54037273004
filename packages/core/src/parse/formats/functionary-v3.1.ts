import { FormatParser } from '../format-parser.ts';
import { isNameCharacter } from '../script/is-name-character.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const OPENING = '<function=';
const END = '</function>';
/** No name is longer; prose is. */
const LONGEST_NAME = 128;

/** `<function=NAME>{…}</function>`. What has parameters in tags there is of another dialect. */
function* readBlock(input: ScriptInput): Script<Declined | undefined> {
  const name = yield* input.takeWhile(isNameCharacter, LONGEST_NAME);
  if (name === '' || !(yield* input.take('>'))) return input.decline('no name of a tool follows');
  yield* input.skipSpace();
  if (!(yield* input.startsWith('{'))) return input.decline('no arguments follow');
  return yield* readArguments(input, input.beginCall(name), { marker: END, next: OPENING });
}

export const functionaryV31: FormatParser = new FormatParser({
  name: 'functionary-v3.1',
  formats: [scriptFormat([OPENING], readBlock)],
  sample: '<function=read_file>{"path": "notes.md"}</function>',
  models: ['functionary-small-v3.1', 'functionary-medium-v3.1', 'functionary-v3.1'],
});
