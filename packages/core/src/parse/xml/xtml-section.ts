import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { InvokeParameter } from './invoke-parameter.ts';
import { readingOfJson, readingOfString } from './parameter-reading.ts';
import { takeSpace } from './take-space.ts';
import { readXtmlClose, readXtmlTag, XTML_CLOSE, XTML_OPEN } from './xtml-tags.ts';

const TAGS = new MarkerSet([XTML_OPEN, XTML_CLOSE]);

/**
 * Reads a section of calls from behind `<|open|>`, or calls that have none around them. Of a section without
 * a call that can be read, the tag that opens it is markup, and the rest whatever it is.
 */
export function* readXtmlCalls(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (yield* input.take('call')) {
    const outcome = yield* readCall(input);
    return outcome === 'call' ? yield* readCalls(input, false) : outcome;
  }
  if (!(yield* input.take('tools'))) return input.decline('no call follows');
  if ((yield* readXtmlTag(input)) === undefined) return input.decline('the tag has no end');
  const start = input.offset;
  const problem = yield* readCalls(input, true);
  if (problem === undefined || input.isCut) return problem;
  input.drafts.length = 0;
  input.frame = { kind: 'markup' };
  input.endsAt = start;
  return undefined;
}

function* readCalls(input: ScriptInput, isSection: boolean): Script<Declined | undefined> {
  for (;;) {
    yield* input.skipSpace();
    if (yield* input.startsWith(XTML_CLOSE)) {
      const { word } = yield* readXtmlClose(input);
      if (word === 'tools') return undefined;
      return stopOpen(input, isSection);
    }
    if (!(yield* input.take(XTML_OPEN))) return stopOpen(input, isSection);
    yield* input.skipSpace();
    if (!(yield* input.take('call'))) return stopOpen(input, isSection);
    const outcome = yield* readCall(input);
    if (outcome !== 'call') return outcome;
  }
}

function stopOpen(input: ScriptInput, isSection: boolean): Declined | undefined {
  if (isSection) input.drafts.at(-1)?.note('missing-end-marker');
  return input.stop('no call follows');
}

/** Reads a call from behind `<|open|>call`. */
function* readCall(input: ScriptInput): Script<'call' | Declined | undefined> {
  const tag = yield* readXtmlTag(input);
  if (tag === undefined && (yield* input.isAtEnd())) return input.cutShort();
  const name = tag?.attributes.get('tool')?.trim() ?? '';
  if (tag === undefined || name === '') return input.stop('it names no tool');
  const draft = input.beginCall(name);
  for (let count = 0; ; count++) {
    yield* input.skipSpace();
    if (yield* input.startsWith(XTML_CLOSE)) {
      const { word } = yield* readXtmlClose(input);
      if (word === 'call') {
        input.endCall(draft);
        return 'call';
      }
    }
    if (!(yield* input.take(XTML_OPEN))) {
      if (yield* input.isAtEnd()) return input.cutShort();
      return input.stop('what follows is no argument');
    }
    const outcome = yield* readArgument(input, draft, count === 0);
    if (outcome !== 'argument') return outcome;
  }
}

/** Reads an argument, or JSON that holds all of them, from behind `<|open|>`. */
function* readArgument(
  input: ScriptInput,
  draft: CallDraft,
  isFirst: boolean,
): Script<'argument' | 'call' | Declined | undefined> {
  const tag = yield* readXtmlTag(input);
  if (tag === undefined && (yield* input.isAtEnd())) return input.cutShort();
  if (tag?.word === 'json' && isFirst) return yield* readJson(input, draft);
  const key = tag?.attributes.get('key');
  if (tag?.word !== 'argument' || key === undefined) return input.stop('an argument has no name');
  if (draft.has(key)) draft.markLossy();
  const isString = tag.attributes.get('type') === 'string';
  const readingOf = isString ? readingOfString : readingOfJson;
  const reading = readingOf(input.context, draft.name, key);
  const argument = new InvokeParameter(draft, key, reading, false);
  const end = yield* readValue(input, argument);
  if (end === '') return input.cutShort();
  argument.finish();
  if (end === 'argument') return 'argument';
  draft.note('missing-end-marker');
  input.endCall(draft);
  return 'call';
}

const JSON_END = { marker: '<|close|>json<|sep|>', next: '<|open|>call ' };

/** Reads JSON that holds all arguments, and the end of the call. */
function* readJson(input: ScriptInput, draft: CallDraft): Script<'call' | Declined | undefined> {
  const problem = yield* readArguments(input, draft, JSON_END);
  if (!draft.isClosed) return problem;
  yield* input.skipSpace();
  if ((yield* readXtmlClose(input)).word !== 'call') return stopOpen(input, true);
  input.endCall(draft);
  return 'call';
}

/**
 * Reads a value and the tag that closes it. Returns the word in that tag, or none when the text ends. Tags
 * of a whole call in the value are part of it.
 */
function* readValue(input: ScriptInput, argument: InvokeParameter): Script<string> {
  const add = (piece: string): void => argument.add(piece);
  let calls = 0;
  for (;;) {
    const { marker } = yield* input.until(TAGS, add);
    if (marker === undefined) return '';
    if (marker === XTML_OPEN) {
      input.skip(marker.length);
      add(marker + (yield* takeSpace(input)));
      if (yield* input.startsWith('call')) calls++;
      continue;
    }
    const { word, source } = yield* readXtmlClose(input);
    if (calls === 0 && (word === 'argument' || word === 'call')) return word;
    if (word === 'call') calls--;
    add(source);
  }
}
