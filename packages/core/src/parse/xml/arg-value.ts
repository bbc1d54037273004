import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { ArgMarkup } from './arg-markup.ts';
import type { ArgumentWriter } from './argument-writer.ts';
import { isKey, isKeyCharacter, isLayout, LONGEST_KEY } from './arg-key.ts';
import { takeSpace } from './take-space.ts';

/** How a value ended. */
export type ArgValueEnd =
  /** By its own tag. `nextKey` is a key whose opening tag is missing; `isDirty` says that text follows that belongs nowhere. */
  | { readonly by: 'value'; readonly nextKey?: string; readonly isDirty: boolean }
  /** Its tag is missing; the next key was read. */
  | { readonly by: 'key'; readonly nextKey: string }
  /** Its tag is missing; the call ends at `at`. `isLast` says that what follows is no part of its block. */
  | { readonly by: 'call'; readonly at: number; readonly isLast: boolean }
  /** The text ended in it. */
  | { readonly by: 'nothing' }
  /** Nobody can say where. */
  | { readonly by: 'anything' };

type Push = (piece: string) => void;

/**
 * Reads a value that nothing is escaped in. What looks like its end is believed unless it is followed by
 * such an end again: then the first was part of the value. Whole calls in it are part of it.
 */
export function* readArgValue(
  input: ScriptInput,
  writer: ArgumentWriter,
  markup: ArgMarkup,
  isNext: (key: string) => boolean,
): Script<ArgValueEnd> {
  const push: Push = (piece) => writer.push(piece);
  for (;;) {
    const { marker } = yield* input.until(markup.inValue, push);
    if (marker === undefined) return { by: 'nothing' };
    input.skip(marker.length);
    let end: ArgValueEnd | undefined;
    if (marker === markup.callBegin) yield* passCall(input, markup, push);
    else if (marker === markup.keyBegin) end = yield* endAtKey(input, markup, push, isNext);
    else end = yield* endAtClosing(input, markup, push, marker);
    if (end !== undefined) return end;
  }
}

function* endAtClosing(
  input: ScriptInput,
  markup: ArgMarkup,
  push: Push,
  closing: string,
): Script<ArgValueEnd | undefined> {
  const at = input.offset;
  for (let held = closing; ;) {
    const { text, marker } = yield* input.until(markup.tags);
    const isFirst = held === closing;
    const isClean = isFirst && isLayout(text);
    if (marker === markup.valueEnd) {
      push(held + text);
      return undefined;
    }
    if (closing === markup.callEnd)
      return { by: 'call', at, isLast: !isClean || marker === undefined };
    if (isClean) return { by: 'value', isDirty: false };
    if (marker === undefined) return { by: 'nothing' };
    if (marker !== markup.callBegin) {
      if (!isFirst) return { by: 'anything' };
      const isKeyless = marker === markup.keyEnd || marker === markup.valueBegin;
      return isKeyless && isKey(text)
        ? { by: 'value', nextKey: text, isDirty: false }
        : { by: 'value', isDirty: true };
    }
    // Text stands before it: that a call begins is no more certain than that the value ended.
    input.skip(marker.length);
    held += text + marker;
  }
}

/** `<arg_key>` in a value begins the next argument only as part of a whole, new key. */
function* endAtKey(
  input: ScriptInput,
  markup: ArgMarkup,
  push: Push,
  isNext: (key: string) => boolean,
): Script<ArgValueEnd | undefined> {
  const key = yield* input.takeWhile(isKeyCharacter, LONGEST_KEY);
  let raw = markup.keyBegin + key;
  const end = yield* input.takeAny(markup.keyEnds);
  if (end !== undefined || markup.keyEnd === undefined) {
    raw += end ?? '';
    if (end !== undefined) raw += yield* takeSpace(input);
    if ((yield* input.peekAny(markup.beforeValue)) !== undefined && isNext(key.trim()))
      return { by: 'key', nextKey: key };
  }
  push(raw);
  return undefined;
}

/** Passes on the call that begins in a value; a tag that is only mentioned begins none. */
function* passCall(input: ScriptInput, markup: ArgMarkup, push: Push): Script<void> {
  push(markup.callBegin);
  push(yield* takeSpace(input));
  const name = yield* input.takeWhile(isKeyCharacter, LONGEST_KEY);
  push(name);
  const isCall =
    (yield* input.startsWith(markup.keyBegin)) ||
    (yield* input.peekAny(markup.separators)) !== undefined ||
    (name.trim() !== '' && (yield* input.startsWith(markup.callEnd)));
  for (let depth = isCall ? 1 : 0; depth > 0;) {
    const { marker } = yield* input.until(markup.calls, push);
    if (marker === undefined) return;
    input.skip(marker.length);
    push(marker);
    depth += marker === markup.callBegin ? 1 : -1;
  }
}
