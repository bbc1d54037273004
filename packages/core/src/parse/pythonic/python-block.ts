import { isWord } from '../json/char-code.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { BlockScript, Declined, Script } from '../script/script.ts';
import { ScriptInput } from '../script/script-input.ts';
import { PythonCalls } from './python-calls.ts';
import { readJsonCalls } from './read-json-calls.ts';

export interface PythonBlock {
  /** What begins the block, where it may be written twice. */
  readonly begin?: string;
  /** What ends it. It may be forgotten. */
  readonly ends: readonly string[];
  /** Whether the calls may be written as JSON. @defaultValue false */
  readonly mayBeJson?: boolean;
  /** Whether the end may be forgotten without that being a mistake. @defaultValue false */
  readonly isEndOptional?: boolean;
  /** The tool that a written name calls; undefined when it calls none. @defaultValue the name itself */
  readonly toolOf?: (written: string, input: ScriptInput) => string | undefined;
}

const FENCE = '```';
const LONGEST_LANGUAGE = 32;

/**
 * A block of Python calls between markers, from behind its beginning: a list, `[f(a=1), g()]`, or calls that
 * follow one another, in a code fence or not.
 */
export function pythonBlock(block: PythonBlock): BlockScript {
  const ends = new MarkerSet(block.ends);
  return function* readBlock(input: ScriptInput): Script<Declined | undefined> {
    yield* input.skipSpace();
    if (block.begin !== undefined) while (yield* input.take(block.begin)) yield* input.skipSpace();
    if ((yield* input.takeAny(ends)) !== undefined) {
      input.frame = { kind: 'markup' };
      return undefined;
    }
    const problem = yield* readBody(input, block, ends);
    const last = input.drafts.at(-1);
    if (problem !== undefined || last?.isClosed !== true || input.endsAt !== undefined)
      return problem;
    yield* input.skipSpace();
    if ((yield* input.takeAny(ends)) === undefined) {
      if (block.isEndOptional !== true) last.note('missing-end-marker');
      return input.stop('the end marker is missing');
    }
    input.endCall(last);
    while ((yield* input.takeAny(ends)) !== undefined) input.endCall(last);
    return yield* readEcho(input, block, ends);
  };
}

function* readBody(
  input: ScriptInput,
  block: PythonBlock,
  ends: MarkerSet,
): Script<Declined | undefined> {
  const isFenced = yield* input.take(FENCE);
  if (isFenced) yield* input.takeWhile(isWord, LONGEST_LANGUAGE);
  yield* input.skipSpace();
  const isList = yield* input.take('[');
  yield* input.skipSpace();
  if (block.mayBeJson === true && (yield* input.startsWith('{'))) {
    const problem = yield* readJsonCalls(input, isList, block.ends[0]);
    if (problem !== undefined || input.endsAt !== undefined) return problem;
  } else {
    const { toolOf } = block;
    const calls = new PythonCalls(input, {
      blockEnds: ends,
      ...(toolOf === undefined ? {} : { toolOf: (written) => toolOf(written, input) }),
    });
    const isWhole = isList ? yield* calls.list() : yield* calls.statements();
    if (!isWhole) return calls.isCut ? cutShort(input, isList) : input.stop(calls.failure);
  }
  yield* input.skipSpace();
  const last = input.drafts.at(-1);
  if (isFenced && (yield* input.take(FENCE)) && last?.isClosed === true) input.endCall(last);
  return undefined;
}

/** The text ends in a list; what is missing may be its bracket only. */
function cutShort(input: ScriptInput, isList: boolean): Declined | undefined {
  const last = input.drafts.at(-1);
  if (!isList || last?.isClosed !== true) return input.cutShort();
  last.note('missing-brace');
  last.note('missing-end-marker');
  return input.stop('the list has no end');
}

/** Models repeat the calls behind the block, with another end marker; the same calls are not made twice. */
function* readEcho(
  input: ScriptInput,
  block: PythonBlock,
  ends: MarkerSet,
): Script<Declined | undefined> {
  const [first] = input.drafts;
  const last = input.drafts.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (!(yield* input.startsWith(`[${first.name}(`))) return undefined;
  const { text, marker } = yield* input.until(new MarkerSet([...block.ends, block.begin ?? '\0']));
  if (marker === undefined || marker === block.begin || !isEcho(input, text, block, ends))
    return input.stop('another list follows');
  input.skip(marker.length);
  input.endCall(last);
  return undefined;
}

function isEcho(
  { context, drafts }: ScriptInput,
  text: string,
  block: PythonBlock,
  ends: MarkerSet,
): boolean {
  const again = new ScriptInput(context);
  again.push(text, 0);
  again.isEnded = true;
  const reading = readBody(again, block, ends).next();
  if (reading.done !== true || reading.value !== undefined) return false;
  const said = (input: readonly { toRawCall(): unknown }[]): string =>
    JSON.stringify(input.map((draft) => draft.toRawCall()));
  return said(again.drafts) === said(drafts);
}
