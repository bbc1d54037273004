import { isSpace } from '../json/char-code.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isKey, isKeyCharacter, LONGEST_KEY, withoutLayout } from './arg-key.ts';
import { ARG_STYLE } from './arg-markup.ts';
import type { ArgMarkup } from './arg-markup.ts';
import { readPairs } from './arg-pairs.ts';
import { readArgValue } from './arg-value.ts';
import { areAllArgumentsSet } from './are-all-arguments-set.ts';
import { ArgumentWriter } from './argument-writer.ts';
import { isNewArgument } from './is-new-argument.ts';
import { takeSpace } from './take-space.ts';
import { isToolName } from './tool-name.ts';

/** Reads a call from behind its opening tag: a name, which `toolOf` makes a tool of, then keys and values. */
export function* readArgCall(
  input: ScriptInput,
  markup: ArgMarkup,
  toolOf: (written: string) => string | undefined = (written) => written,
): Script<Declined | undefined> {
  let layout = yield* skipLayout(input);
  // Some models open a call twice.
  if (yield* input.take(markup.callBegin)) layout = yield* skipLayout(input);
  const written = yield* input.takeWhile(isNameCharacter, LONGEST_KEY);
  const name = isToolName(input.context, written) ? toolOf(written) : undefined;
  if (name === undefined) return input.stop('no tool is named');
  layout += yield* skipLayout(input);
  if (yield* input.take(markup.separator)) {
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
  if (yield* input.startsWith('{'))
    return yield* readArguments(input, begin(), { marker: markup.callEnd });
  if (yield* input.startsWith(markup.callEnd)) {
    // `<tool_call> and </tool_call>` is prose.
    if (/^[ \t]+$/.test(layout) && !isKnown) return input.stop('no arguments follow the name');
    return yield* readArgs(input, markup, begin(), undefined);
  }
  if (yield* input.startsWith(markup.keyBegin))
    return yield* readArgs(input, markup, begin(), undefined);
  const words = yield* input.takeWhile(isKeyCharacter, LONGEST_LINE);
  const isKeyless =
    (yield* input.startsWith(markup.keyEnd)) || (yield* input.startsWith(markup.valueBegin));
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
    const isClosed = yield* input.take(markup.keyEnd);
    yield* skipLayout(input);
    if (yield* input.isAtEnd()) return input.cutShort();
    const isWithoutValue =
      (yield* input.startsWith(markup.keyBegin)) || (yield* input.startsWith(markup.callEnd));
    const hasValue = !isWithoutValue && ((yield* input.take(markup.valueBegin)) || isClosed);
    if (!isKey(key) || !(hasValue || isWithoutValue)) return input.stop('no key follows');
    if (isWithoutValue) {
      draft.note('missing-value');
      draft.markLossy();
      key = undefined;
      continue;
    }
    const written = withoutLayout(key);
    const writer = new ArgumentWriter(context, draft, written, ARG_STYLE);
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
  return !isSpace(code) && code !== LESS_THAN && code !== OPEN_BRACE && code !== BACKSLASH;
}

/** No arguments that stand on the line of a name are longer. */
const LONGEST_LINE = 4096;
const LESS_THAN = 0x3c;
const OPEN_BRACE = 0x7b;
const BACKSLASH = 0x5c;
