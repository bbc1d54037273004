import { FormatParser } from '../format-parser.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { isNameCharacter } from '../script/is-name-character.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { giveArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const SEGMENT = '>>>';
const SEGMENTS = new MarkerSet([SEGMENT]);
/** Text is for everybody, code for the interpreter, and the rest for tools. */
const EVERYBODY = 'all';
const INTERPRETER = 'python';
const LONGEST_NAME = 64;
const LONGEST_HEADER = SEGMENT.length + LONGEST_NAME + 1;

/** `>>>NAME`, a line break, and what is for that recipient. */
function* readSegment(input: ScriptInput): Script<Declined | undefined> {
  const name = yield* readRecipient(input);
  if (name === undefined) return input.decline('no recipient follows');
  if (name === EVERYBODY) return takeMarkup(input);
  return name === INTERPRETER ? yield* readCode(input) : yield* readCall(input, name, true);
}

/** The first segment has no marker, so that only its content tells it from other texts. */
function* readFirstSegment(input: ScriptInput): Script<Declined | undefined> {
  const { tools } = input.context;
  const name = yield* readRecipient(input);
  if (name === undefined) return input.decline('no recipient follows');
  if (name === EVERYBODY) return takeMarkup(input);
  if (tools !== undefined && (tools.resolve(name) === undefined || !tools.names.mayBegin(name)))
    return input.decline(`${JSON.stringify(name)} is no tool`);
  if (name === INTERPRETER) return yield* readCode(input, tools === undefined);
  // A plain word may be the heading of some data.
  if (tools === undefined && !/[a-z\d][_.A-Z]/.test(name))
    return input.decline(`${JSON.stringify(name)} may be any word`);
  return yield* readCall(input, name, tools !== undefined);
}

/** The name that fills a line. */
function* readRecipient(input: ScriptInput): Script<string | undefined> {
  const name = yield* input.takeWhile(isNameCharacter, LONGEST_NAME);
  yield* input.take('\r');
  return name !== '' && (yield* input.take('\n')) ? name : undefined;
}

function takeMarkup(input: ScriptInput): Declined | undefined {
  input.frame = { kind: 'markup' };
  return undefined;
}

/** Reads the arguments. Where it is not sure that they are some, nothing but a segment may follow them. */
function* readCall(
  input: ScriptInput,
  name: string,
  isSure: boolean,
): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.startsWith('{'))) return input.decline('no arguments follow');
  const early = isSure ? input.beginCall(name) : undefined;
  const json = yield* input.json({
    endMarker: SEGMENT,
    ...(early === undefined ? {} : { argumentsOf: early }),
  });
  const draft = early ?? input.beginCall(name);
  const problem = giveArguments(draft, json, input.context.maxDepth);
  if (problem !== undefined) return input.stop(problem);
  if (!json.complete) return input.cutShort();
  input.endCall(draft);
  if (isSure) return undefined;
  yield* input.skipSpace();
  if ((yield* input.isAtEnd()) || (yield* input.startsWith(SEGMENT)))
    return input.stop('it ends here');
  return input.decline('text follows the arguments');
}

/** Code as it is, up to the next segment. */
function* readCode(input: ScriptInput, isGuess = false): Script<Declined | undefined> {
  const draft = input.beginCall(INTERPRETER);
  if (isGuess) draft.markLossy();
  draft.openString('code');
  for (;;) {
    const { marker } = yield* input.until(SEGMENTS, (piece) => draft.append(piece));
    const ahead = yield* input.peek(LONGEST_HEADER);
    if (marker === undefined || /^>>>[\w.-]+\r?\n/.test(ahead)) break;
    input.skip(SEGMENT.length);
    draft.append(SEGMENT);
  }
  input.endCall(draft);
  return undefined;
}

/** Whether no name that fills a line stands at `from`. */
function declinesRecipient(text: string, from: number): boolean {
  const at = endOfName(text, from);
  if (at === text.length) return at - from > LONGEST_NAME;
  const next = text.charAt(at);
  return at === from || (next !== '\n' && next !== '\r');
}

/** Most answers begin with a word; with tools given it need not be held until it is whole. */
function declinesFirst(text: string, from: number, tools: OfferedTools | undefined): boolean {
  if (declinesRecipient(text, from)) return true;
  const word = text.slice(from, endOfName(text, from));
  return tools !== undefined && !EVERYBODY.startsWith(word) && !tools.names.mayBegin(word);
}

function endOfName(text: string, from: number): number {
  let at = from;
  while (at < text.length && isNameCharacter(text.charCodeAt(at))) at++;
  return at;
}

export const functionaryV32: FormatParser = new FormatParser({
  name: 'functionary-v3.2',
  formats: [
    scriptFormat([SEGMENT], readSegment, declinesRecipient),
    scriptFormat([{ text: '', at: 'text-start' }], readFirstSegment, declinesFirst),
  ],
  sample: '>>>read_file\n{"path": "notes.md"}',
  models: ['functionary-small-v3.2', 'functionary-medium-v3.2', 'functionary-v3.2'],
});
