import type { JsonValue } from '../../types.ts';
import { ARGUMENT_KEYS, isJsonObject, ownKey } from '../call-keys.ts';
import { FormatParser } from '../format-parser.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { isNameCharacter } from '../script/is-name-character.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import { giveArguments } from '../script/read-arguments.ts';
import { beginNamelessCall } from '../script/read-nameless-call.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { takeJsonCalls } from '../script/take-json-calls.ts';

const OPENING = '[TOOL_CALLS]';
const CALL_ID = '[CALL_ID]';
const ARGUMENTS = '[ARGS]';
const AFTER_NAME = new MarkerSet([CALL_ID, ARGUMENTS]);
/** No name and no id is longer. */
const LONGEST_NAME = 128;
/** Another call, with commas before it or not. */
const NEXT_CALL = /^([\s,]*)\{/;
const LONGEST_GAP = 8;

/** `[TOOL_CALLS]` and a list of calls, or `[TOOL_CALLS]name[ARGS]{…}`, each call with a marker of its own. */
function* readBlock(input: ScriptInput): Script<Declined | undefined> {
  const isApart = /\s/.test(yield* input.peek(1));
  yield* input.skipSpace();
  const marker = yield* input.takeAny(AFTER_NAME);
  if (marker !== undefined) return yield* readNameless(input, yield* readId(input, marker));
  if (yield* input.startsWith('[')) {
    input.resemblesCall = true;
    return takeJsonCalls(input, yield* input.json({ endMarker: OPENING }));
  }
  if (yield* input.startsWith('{')) return yield* readNameless(input, undefined);
  const name = yield* input.takeWhile(isNameCharacter, LONGEST_NAME);
  if (name === '') return input.decline('no call follows');
  const next = yield* input.takeAny(AFTER_NAME);
  // A word behind a space is prose, unless more of a call follows.
  if (isApart && next === undefined) return input.decline('no call follows');
  const id = next === undefined ? undefined : yield* readId(input, next);
  return yield* readNamed(input, name, id, next !== undefined);
}

/** The id of the call, where `marker` says that one follows. */
function* readId(input: ScriptInput, marker: string): Script<string | undefined> {
  if (marker !== CALL_ID) return undefined;
  const id = yield* input.takeWhile(isNameCharacter, LONGEST_NAME);
  yield* input.take(ARGUMENTS);
  return id === '' ? undefined : id;
}

function* readNamed(
  input: ScriptInput,
  name: string,
  id: string | undefined,
  isMarked: boolean,
): Script<Declined | undefined> {
  input.resemblesCall = isMarked;
  yield* input.skipSpace();
  if (yield* input.startsWith('{')) {
    const draft = input.beginCall(name, id);
    const json = yield* input.json({ endMarker: OPENING, argumentsOf: draft });
    const problem = giveArguments(draft, json, input.context.maxDepth);
    if (problem !== undefined) return input.stop(problem);
    if (!json.complete) return input.cutShort();
    input.endCall(draft);
    return undefined;
  }
  const isAtEnd = yield* input.isAtEnd();
  if (isAtEnd && isMarked) {
    input.beginCall(name, id);
    return input.cutShort();
  }
  if (isAtEnd || (yield* input.startsWith(OPENING)))
    return withoutArguments(input, name, id, isAtEnd);
  return input.decline('no arguments follow');
}

/** A name alone is how these models write no arguments. Where the text ends it may also have been cut. */
function withoutArguments(
  input: ScriptInput,
  name: string,
  id: string | undefined,
  isAtEnd: boolean,
): Declined | undefined {
  const { tools } = input.context;
  if (isAtEnd && tools !== undefined && !needsNothing(tools.parametersOf(name)?.['required']))
    return input.cutShort();
  const draft = input.beginCall(name, id);
  if (isAtEnd && tools === undefined) draft.markLossy();
  input.endCall(draft);
  return undefined;
}

function needsNothing(required: JsonValue | undefined): boolean {
  return !Array.isArray(required) || required.length === 0;
}

/** Some answers have the name before the marker, where it is text already. */
function* readNameless(input: ScriptInput, id: string | undefined): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.startsWith('{'))) return input.decline('no arguments follow');
  input.resemblesCall = true;
  const json = yield* input.json({ endMarker: OPENING });
  if (isCall(json.value)) return takeJsonCalls(input, json) ?? (yield* readRest(input));
  if (!json.complete) return input.cutShort();
  const draft = beginNamelessCall(input, json, id);
  if (typeof draft === 'string') return input.stop(draft);
  input.endCall(draft);
  return undefined;
}

/** The other calls of a list that lost its opening bracket, and its closing one. */
function* readRest(input: ScriptInput): Script<Declined | undefined> {
  let isList = false;
  for (;;) {
    const gap = NEXT_CALL.exec(yield* input.peek(LONGEST_GAP))?.[1];
    if (gap === undefined) break;
    input.skip(gap.length);
    isList = true;
    const stopped = takeJsonCalls(input, yield* input.json({ endMarker: OPENING }));
    if (stopped !== undefined) return stopped;
  }
  const last = input.drafts.at(-1);
  if (isList && last !== undefined && (yield* input.take(']'))) {
    last.note('missing-brace');
    input.endCall(last);
  }
  return undefined;
}

/** Whether it is a call rather than its arguments: those may have a `name` among them, too. */
function isCall(value: JsonValue | undefined): boolean {
  if (!isJsonObject(value) || typeof value['name'] !== 'string') return false;
  const key = ownKey(value, ARGUMENT_KEYS);
  return key !== undefined && isJsonObject(value[key]);
}

const NAME = 'mistral';

export const mistral: FormatParser = new FormatParser({
  name: NAME,
  formats: [
    { ...scriptFormat([OPENING], readBlock), reasoning: [{ open: '[THINK]', close: '[/THINK]' }] },
    markupTokens(['[/TOOL_CALLS]'], NAME),
    endOfTurn('</s>'),
  ],
  sample: '[TOOL_CALLS]read_file[ARGS]{"path": "notes.md"}',
  models: ['mistral', 'mixtral', 'ministral', 'magistral', 'devstral', 'codestral', 'pixtral'],
});
