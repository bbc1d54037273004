import { holdsUnsafeNumber, quoteLostNumbers } from '../../internal/schema-text.ts';
import type { JsonValue } from '../../types.ts';
import { withArgumentsText } from '../arguments-text.ts';
import type { RawCall } from '../format.ts';
import { parseStrict } from '../json/parse-strict.ts';
import { MAX_WRAPPINGS } from '../json/unwrap-call.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { PythonCalls } from '../pythonic/python-calls.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { giveArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import { ScriptInput } from '../script/script-input.ts';
import { readOpenElements } from '../xml/element-call.ts';
import { bareHeadAt, HEAD_LIMIT } from './bare-head.ts';
import type { BareHead } from './bare-head.ts';
import { readOfferedCalls } from './offered-calls.ts';
import type { OfferedShapes } from './offered-calls.ts';

/** A part of a message that is calls and nothing else: a line, a fence, the body of a tag. */
export interface Region {
  /** Whether `f()` is believed there. On a line it is only if that line is the whole message. */
  readonly takesEmpty: boolean;
  /** What follows a call: another one, the end of the region, or what belongs to neither. */
  next(input: ScriptInput, isWhole: boolean): Script<'call' | 'end' | 'other'>;
}

/** Reads calls of offered tools one after another, up to the end of their region: all of it has to be calls. */
export function* readBareCalls(
  input: ScriptInput,
  region: Region,
  wrappings: number = MAX_WRAPPINGS,
): Script<Declined | undefined> {
  input.isQuiet = true;
  const tools = input.context.evidence;
  if (tools === undefined) return input.decline('no tools were offered');
  const isAtStart = input.context.before === '';
  for (;;) {
    const problem = yield* readOne(input, tools, wrappings);
    const last = input.drafts.at(-1);
    if (problem !== undefined) return problem;
    // The text ends inside a call, or the block has ended with its elements.
    if (last?.isClosed !== true || input.isCut || input.endsAt !== undefined) break;
    const hasEmpty = !region.takesEmpty && input.drafts.some(({ size }) => size === 0);
    if (hasEmpty && !isAtStart)
      return input.decline('a call without arguments is surrounded by text');
    const next = yield* region.next(input, hasEmpty);
    if (next === 'other') return input.decline('text follows the call');
    if (next === 'end') break;
  }
  return checkFit(input);
}

/** Declines a block whose calls do not fit the parameters of their tools. */
export function checkFit(input: ScriptInput): Declined | undefined {
  for (const draft of input.drafts) {
    const call = draft.toRawCall();
    const misfit = call.complete
      ? input.context.evidence?.misfit(call.name, call.arguments)
      : undefined;
    if (misfit !== undefined) return input.decline(misfit);
  }
  return undefined;
}

function* readOne(
  input: ScriptInput,
  tools: OfferedTools,
  wrappings: number,
): Script<Declined | undefined> {
  let head = bareHeadAt(input.ahead(HEAD_LIMIT), 0, tools);
  while (head === 'unclear' && !input.isEnded) {
    yield;
    head = bareHeadAt(input.ahead(HEAD_LIMIT), 0, tools);
  }
  if (typeof head === 'string') return input.decline('no call of an offered tool follows');
  if (head.form === 'json') return yield* readJson(input, tools, wrappings);
  if (head.form === 'object' || head.form === 'elements') return yield* readNamed(input, head);
  const calls = new PythonCalls(input, {
    toolOf: (written) => tools.resolve(written) && written,
  });
  input.skip(head.form === 'list' ? 1 : head.length);
  const isWhole = head.form === 'list' ? yield* calls.list() : yield* calls.call();
  if (isWhole) return undefined;
  return calls.isCut ? input.cutShort() : input.decline(calls.failure);
}

/** `f{…}`, `f[ARGS]{…}`, and a name on a line before its parameters in tags. */
function* readNamed(
  input: ScriptInput,
  head: BareHead & { readonly form: 'object' | 'elements' },
): Script<Declined | undefined> {
  input.skip(head.length);
  const draft = input.beginCall(head.tool);
  if (head.form === 'elements') return yield* readOpenElements(input, draft);
  return yield* readObject(input, draft);
}

/** Reads a JSON object as the arguments of `draft`. */
export function* readObject(input: ScriptInput, draft: CallDraft): Script<Declined | undefined> {
  const json = yield* input.json();
  const problem = giveArguments(draft, json, input.context.maxDepth);
  if (problem !== undefined) return input.decline(problem);
  if (!json.complete) return input.cutShort();
  input.endCall(draft);
  return undefined;
}

function* readJson(
  input: ScriptInput,
  tools: OfferedTools,
  wrappings: number,
): Script<Declined | undefined> {
  const json = yield* input.json();
  if (json.value === undefined) return input.decline(json.failure || 'it is no JSON');
  if (!json.complete) return input.cutShort();
  const { maxDepth } = input.context;
  const readText = (text: string) => readHeldText(input, text, wrappings - 1);
  const calls = readExactCalls(json.value, json.source, { tools, maxDepth, readText });
  if (typeof calls === 'string') return input.decline(calls);
  for (const call of calls) {
    const draft = input.beginCall(call.name, call.id);
    draft.setAll(call);
    for (const repair of [...json.repairs, ...call.repairs]) draft.note(repair);
    if (json.lossy || call.lossy || !call.complete) draft.markLossy();
    input.endCall(draft);
  }
  return undefined;
}

/** The calls with the text of their arguments, or with arguments that hold all digits where they have no text. */
function readExactCalls(
  value: JsonValue,
  source: string | undefined,
  shapes: OfferedShapes,
): readonly RawCall[] | string {
  const calls = readOfferedCalls(value, shapes);
  if (typeof calls === 'string' || source === undefined) return calls;
  const written = withArgumentsText(calls, value, source);
  const isExact = written.every(({ argumentsText }) => argumentsText !== undefined);
  if (isExact || !holdsUnsafeNumber(value)) return written;
  const exact = parseStrict(quoteLostNumbers(source), shapes.maxDepth);
  return typeof exact === 'string' ? exact : readOfferedCalls(exact.value, shapes);
}

/** The calls that a string holds, as an item of a list. */
function readHeldText(
  input: ScriptInput,
  text: string,
  wrappings: number,
): readonly RawCall[] | string {
  if (wrappings <= 0) return 'it is wrapped too often';
  const held = new ScriptInput(input.context);
  held.push(text.trim(), 0);
  held.isEnded = true;
  const reading = readBareCalls(held, HELD, wrappings).next();
  if (reading.done !== true || reading.value !== undefined || held.isCut)
    return 'it is a string that holds no call';
  return held.drafts.map((draft) => draft.toRawCall());
}

/** All of a string is calls. */
const HELD: Region = {
  takesEmpty: true,
  *next(input: ScriptInput): Script<'call' | 'end' | 'other'> {
    while ((yield* input.take(',')) || (yield* input.take(';'))) yield* input.skipSpace();
    yield* input.skipSpace();
    return (yield* input.isAtEnd()) ? 'end' : 'call';
  },
};
