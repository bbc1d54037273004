import { isSpace } from '../json/char-code.ts';
import { CallDraft } from '../script/call-draft.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isKey, isKeyCharacter, LONGEST_KEY, withoutLayout } from './arg-key.ts';
import { ARG_STYLE, STRING_STYLE } from './arg-markup.ts';
import type { ArgMarkup } from './arg-markup.ts';
import { readPairs } from './arg-pairs.ts';
import { readArgValue } from './arg-value.ts';
import { areAllArgumentsSet } from './are-all-arguments-set.ts';
import { ArgumentWriter } from './argument-writer.ts';
import { listParameter, readBareList } from './bare-list.ts';
import { isNewArgument } from './is-new-argument.ts';
import { takeSpace } from './take-space.ts';
import { isToolName } from './tool-name.ts';

/**
 * Reads a call from behind its opening tag: a name, which `toolOf` makes a tool of, then keys and values.
 * `mayBeLone` says whether the name of an unknown tool is a call without them.
 */
export function* readArgCall(
  input: ScriptInput,
  markup: ArgMarkup,
  toolOf: (written: string) => string | undefined = (written) => written,
  mayBeLone = true,
): Script<Declined | undefined> {
  let layout = yield* skipLayout(input);
  // Some models open a call twice.
  if (yield* input.take(markup.callBegin)) layout = yield* skipLayout(input);
  const written = yield* input.takeWhile(isNameCharacter, LONGEST_KEY);
  const name = isToolName(input.context, written) ? toolOf(written) : undefined;
  if (name === undefined) return input.stop('no tool is named');
  layout += yield* skipLayout(input);
  const hasSeparator = (yield* input.takeAny(markup.separators)) !== undefined;
  if (hasSeparator) {
    yield* skipLayout(input);
    layout = '';
  }
  const begin = (): CallDraft => {
    const draft = input.beginCall(name);
    if (name !== written) draft.note('tool-name');
    return draft;
  };
  const isKnown = input.context.tools?.resolve(name) !== undefined;
  if (yield* input.isAtEnd()) {
    // Without a line break, more of the name may have come.
    if (layout.includes('\n')) begin();
    return input.cutShort();
  }
  // GLM 5.3 Flash separates the name from JSON so, and writes no end of the call.
  const isSeparated = yield* input.startsWith('>');
  if (isSeparated) {
    input.skip(1);
    yield* input.skipSpace();
  }
  const end = { marker: markup.callEnd, next: markup.callBegin };
  if (yield* input.startsWith('{')) return yield* readArguments(input, begin(), end);
  if (yield* input.startsWith('[')) {
    const parameter = listParameter(input.context, name);
    if (parameter !== undefined) return yield* readBareList(input, begin(), parameter, end);
    input.resemblesCall ||= isKnown;
  }
  if (isSeparated && !(yield* input.isAtEnd())) return input.stop('no arguments follow the name');
  if (yield* input.startsWith(markup.callEnd)) {
    // `<tool_call> and </tool_call>` is prose, and any other lone word may be.
    const isProse = /^[ \t]+$/.test(layout);
    if (!isKnown && (isProse || !(hasSeparator || mayBeLone))) {
      input.resemblesCall = !isProse;
      return input.stop('no arguments follow the name');
    }
    return yield* readArgs(input, markup, begin(), undefined);
  }
  for (const pairs of [markup, markup.other]) {
    if (pairs !== undefined && (yield* input.startsWith(pairs.keyBegin)))
      return yield* readArgs(input, pairs, begin(), undefined);
  }
  if (isSeparated || (yield* input.endsInside(markup.afterName))) {
    begin();
    return input.cutShort();
  }
  const words = yield* input.takeWhile(isKeyCharacter, LONGEST_LINE);
  const isKeyless = (yield* input.peekAny(markup.afterKey)) !== undefined;
  if (isKeyless && isKey(words)) return yield* readArgs(input, markup, begin(), words);
  return isKnown
    ? yield* endPairs(input, markup, begin, words)
    : input.stop('no arguments follow the name');
}

/** `add a=1 b=2`. */
function* endPairs(
  input: ScriptInput,
  markup: ArgMarkup,
  begin: () => CallDraft,
  words: string,
): Script<Declined | undefined> {
  const { context } = input;
  const pairs = readPairs(words);
  if (pairs === undefined || !(yield* input.take(markup.callEnd)))
    return input.stop('no arguments follow the name');
  const draft = begin();
  for (const [key, value] of pairs) {
    const writer = new ArgumentWriter(context, draft, key, ARG_STYLE);
    writer.push(value);
    writer.finish();
  }
  input.endCall(draft);
  return undefined;
}

/** Reads keys and values up to the end of the call. `firstKey` is a key whose opening tag is missing. */
function* readArgs(
  input: ScriptInput,
  markup: ArgMarkup,
  draft: CallDraft,
  firstKey: string | undefined,
): Script<Declined | undefined> {
  const { context } = input;
  let key = firstKey;
  for (;;) {
    if (key === undefined) {
      yield* skipLayout(input);
      if (yield* input.take(markup.callEnd)) {
        input.endCall(draft);
        return undefined;
      }
      if (yield* input.isAtEnd()) return endCut(input, draft);
      if (yield* input.startsWith(markup.callBegin)) return endOpen(input, draft);
      yield* input.take(markup.keyBegin);
      key = yield* input.takeWhile(isKeyCharacter, LONGEST_KEY);
    }
    const isClosed = (yield* input.takeAny(markup.keyEnds)) !== undefined;
    const joined = isClosed ? undefined : yield* joinedValue(input, markup, draft, key);
    if (joined === undefined) yield* skipLayout(input);
    const isDeclared = markup.hasTypes && (yield* readType(input, markup)) === 'string';
    if (yield* input.isAtEnd()) return input.cutShort();
    const isWithoutValue =
      joined === undefined &&
      ((yield* input.startsWith(markup.keyBegin)) || (yield* input.startsWith(markup.callEnd)));
    const hasValue =
      joined !== undefined ||
      (!isWithoutValue && ((yield* input.take(markup.valueBegin)) || isClosed));
    if (!isKey(key) || !(hasValue || isWithoutValue)) return input.stop('no key follows');
    if (isWithoutValue) {
      draft.note('missing-value');
      draft.markLossy();
      key = undefined;
      continue;
    }
    const written = joined?.key ?? withoutLayout(key);
    const isRepeated = markup.keepsFirst && draft.has(written);
    if (isRepeated) draft.markLossy();
    // A value that does not count is read into a draft that is not emitted.
    const target = isRepeated ? new CallDraft(draft.name, undefined) : draft;
    const style = isDeclared ? STRING_STYLE : ARG_STYLE;
    const writer = new ArgumentWriter(context, target, written, style);
    if (joined !== undefined) writer.push(joined.value);
    const isNext = (other: string): boolean => isNewArgument(context, draft, written, other);
    const value = yield* readArgValue(input, writer, markup, isNext);
    if (value.by === 'nothing') return input.cutShort();
    if (value.by === 'anything') return input.stop('the value does not end');
    writer.finish();
    if (value.by === 'call') {
      draft.note('missing-end-marker');
      if (value.isLast) input.endsAt = value.at;
      input.endCall(draft);
      return undefined;
    }
    if (value.by === 'key') draft.note('missing-end-marker');
    else if (value.isDirty) draft.markLossy();
    key = value.nextKey;
  }
}

/** The key and the first part of the value of `<arg_key>key=value</arg_value>`, as GLM 5.3 Flash writes it. */
function* joinedValue(
  input: ScriptInput,
  markup: ArgMarkup,
  draft: CallDraft,
  text: string,
): Script<{ key: string; value: string } | undefined> {
  const equals = text.indexOf('=');
  const key = text.slice(0, Math.max(0, equals)).trim();
  if (!/^\w[\w.-]*$/.test(key) || !isNewArgument(input.context, draft, '', key)) return undefined;
  const next = yield* input.peekAny(markup.tags);
  if (next !== undefined && next !== markup.valueEnd) return undefined;
  return { key, value: text.slice(equals + 1) };
}

/** The type that the model declares for a value, without what it says of the items of a list. */
function* readType(input: ScriptInput, markup: ArgMarkup): Script<string | undefined> {
  if ((yield* input.takeAny(markup.typeBegins)) === undefined) return undefined;
  const type = yield* input.takeWhile(isKeyCharacter, LONGEST_KEY);
  yield* input.takeAny(markup.typeEnds);
  yield* input.skipSpace();
  return type.split('[', 1)[0]?.trim().toLowerCase();
}

/** The next call begins before the end of this one. */
function endOpen(input: ScriptInput, draft: CallDraft): Declined | undefined {
  draft.note('missing-end-marker');
  input.endCall(draft);
  return input.stop('the next call begins');
}

/** The text ended behind a whole argument. */
function endCut(input: ScriptInput, draft: CallDraft): Declined | undefined {
  if (!areAllArgumentsSet(input.context, draft)) return input.cutShort();
  return endOpen(input, draft);
}

/** Takes space, and the `\n` of a text that was escaped once too often. */
function* skipLayout(input: ScriptInput): Script<string> {
  let layout = yield* takeSpace(input);
  while (yield* input.take('\\n')) layout += `\n${yield* takeSpace(input)}`;
  return layout;
}

/** The name that a call at `at` would be read with; undefined while more of it may come. */
export function argCallName(text: string, at: number): string | undefined {
  let end = at;
  while (end < text.length && end - at < LONGEST_KEY && isNameCharacter(text.charCodeAt(end)))
    end++;
  const isWhole = end < text.length || end - at === LONGEST_KEY;
  return isWhole ? text.slice(at, end) : undefined;
}

function isNameCharacter(code: number): boolean {
  return !isSpace(code) && !NOT_IN_NAME.includes(code);
}

/** No arguments that stand on the line of a name are longer. */
const LONGEST_LINE = 4096;
/** `<`, `>`, `{` and the backslash. */
const NOT_IN_NAME = [0x3c, 0x3e, 0x7b, 0x5c];
