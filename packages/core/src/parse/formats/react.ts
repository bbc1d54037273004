import { FormatParser } from '../format-parser.ts';
import { isWord, NEWLINE } from '../json/char-code.ts';
import { parameterValue } from '../parameter-value.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { giveArguments } from '../script/read-arguments.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

const INPUT = 'Action Input:';
const FENCE = '```';
const LONGEST_NAME = 128;
const NEXT_ACTION = '\nAction:';
/** What begins the next step, where the input is no JSON. */
const NEXT_STEPS = new MarkerSet(['\nObservation', '\nThought:', NEXT_ACTION, '\nFinal Answer:']);

/** From behind `Action:`, a name, and `Action Input:` with the arguments on the next line. */
function* readAction(input: ScriptInput): Script<Declined | undefined> {
  const line = yield* input.takeWhile((code) => code !== NEWLINE, LONGEST_NAME);
  const name = /^[`"'[]?([\w./:-]+)[`"'\]]?$/.exec(line.trim())?.[1];
  if (name === undefined) return input.decline('no name follows');
  yield* input.skipSpace();
  if (!(yield* input.take(INPUT))) return input.decline('no input follows');
  input.resemblesCall = true;
  yield* input.skipSpace();
  const isFenced = yield* input.take(FENCE);
  if (isFenced) yield* input.takeWhile(isWord, LONGEST_NAME);
  yield* input.skipSpace();
  if (yield* input.isAtEnd()) {
    input.beginCall(name);
    return input.cutShort();
  }
  if (!(yield* input.startsWith('{')))
    return isFenced ? input.decline('no JSON follows') : yield* readText(input, name);
  const draft = input.beginCall(name);
  const json = yield* input.json({ nextMarker: NEXT_ACTION, argumentsOf: draft });
  const problem = giveArguments(draft, json, input.context.maxDepth);
  if (problem !== undefined) return input.decline(problem);
  if (!json.complete) return input.cutShort();
  input.endCall(draft);
  if (!isFenced) return undefined;
  yield* input.skipSpace();
  if (yield* input.take(FENCE)) input.endCall(draft);
  return input.stop('the fence has no end');
}

/** An input that is no JSON is the one parameter of the tool. */
function* readText(input: ScriptInput, name: string): Script<Declined | undefined> {
  const parameter = input.context.tools?.onlyParameterOf(name);
  if (parameter === undefined) return input.decline('the input is no JSON');
  const draft = input.beginCall(name);
  const { text, marker } = yield* input.until(NEXT_STEPS);
  draft.set(parameter, parameterValue(input.context, name, parameter, text.trim(), 'text'));
  // Nothing shows whether there should have been more.
  if (marker === undefined && !text.endsWith('\n')) draft.markLossy();
  input.endCall(draft);
  return undefined;
}

export const react: FormatParser = new FormatParser({
  name: 'react',
  formats: [scriptFormat([{ text: 'Action:', at: 'line-start' }], readAction)],
  sample: 'Thought: I need the file.\nAction: read_file\nAction Input: {"path": "notes.md"}',
  models: [],
});
