import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { ArgumentWriter } from './argument-writer.ts';
import type { FunctionMarkup } from './function-markup.ts';
import {
  FUNCTION_CLOSINGS,
  FUNCTION_OPENINGS,
  PARAMETER_CLOSINGS,
  PARAMETER_OPENINGS,
  readTag,
} from './function-tag.ts';
import type { FunctionTag } from './function-tag.ts';
import { takeSpace } from './take-space.ts';

/** How a value ended. */
export type ValueEnd =
  /** By its own tag. `isDirty` says that something stood behind it that belongs nowhere. */
  | { readonly by: 'parameter'; readonly isDirty: boolean }
  /** The next parameter begins. `isDirty` says that text stands before it that belongs nowhere, else its own tag is missing. */
  | { readonly by: 'next'; readonly tag: FunctionTag; readonly isDirty: boolean }
  /**
   * Its tag is missing; the function, or the block, ends at `at`. `isLast` says that nothing of the block follows,
   * `isDirty` that a function stands in the value, which may be the next call.
   */
  | {
      readonly by: 'function' | 'block';
      readonly at: number;
      readonly isLast: boolean;
      readonly isDirty: boolean;
    }
  /** The text ended in it. */
  | { readonly by: 'nothing' }
  /** Nobody can say where. */
  | { readonly by: 'anything' };

type Push = (piece: string) => void;

/**
 * Reads a value that nothing is escaped in. What looks like its end is believed unless the same tag comes
 * again before anything begins: then the first was part of the value. Whole functions in it are part of it.
 */
export function* readFunctionValue(
  input: ScriptInput,
  writer: ArgumentWriter,
  markup: FunctionMarkup,
  isNext: (tag: FunctionTag) => boolean,
): Script<ValueEnd> {
  const push: Push = (piece) => writer.push(piece);
  const wrapped = yield* readWrapped(input, push);
  if (wrapped !== undefined) return wrapped;
  let crossesCall = false;
  let hasFunction = false;
  for (;;) {
    const { marker } = yield* input.until(markup.inValue, push);
    if (marker === undefined) return { by: 'nothing' };
    input.skip(marker.length);
    const { tag, raw } = yield* readMarker(input, markup, marker);
    if (tag?.isClosing === true) {
      const end =
        tag.element === 'parameter'
          ? yield* endAtOwnTag(input, markup, push, raw, isNext)
          : yield* endAtOtherTag(input, markup, push, raw, tag.element);
      crossesCall ||= end === 'crossed';
      if (end === undefined || end === 'crossed') continue;
      const isDirty = crossesCall || (hasFunction && end.by !== 'parameter');
      return isDirty && 'isDirty' in end ? { ...end, isDirty: true } : end;
    }
    if (tag?.element === 'parameter' && isNext(tag))
      return { by: 'next', tag, isDirty: crossesCall || hasFunction };
    push(raw);
    if (tag?.element === 'function' && (yield* beginsFunction(input, push))) {
      yield* skipFunction(input, push);
      hasFunction = true;
    }
  }
}

type ValueTag = FunctionTag | { readonly element: 'block'; readonly isClosing: true };

function* readMarker(
  input: ScriptInput,
  { blockEnd }: FunctionMarkup,
  marker: string,
): Script<{ tag: ValueTag | undefined; raw: string }> {
  if (marker === blockEnd) return { tag: { element: 'block', isClosing: true }, raw: marker };
  return yield* readTag(input, marker);
}

/** `</parameter>`, taken as `raw`. Undefined when it is part of the value, `crossed` when another call's beginning is, too. */
function* endAtOwnTag(
  input: ScriptInput,
  markup: FunctionMarkup,
  push: Push,
  raw: string,
  isNext: (tag: FunctionTag) => boolean,
): Script<ValueEnd | 'crossed' | undefined> {
  let crossesCall = false;
  for (let held = raw; ;) {
    const { text, marker } = yield* input.until(markup.behindValue);
    const isBlank = text.trim() === '';
    if (marker === undefined)
      return isBlank && held === raw ? { by: 'parameter', isDirty: false } : { by: 'nothing' };
    if (PARAMETER_CLOSED.has(marker)) {
      push(held + text);
      return crossesCall ? 'crossed' : undefined;
    }
    if (held === raw && isBlank) return { by: 'parameter', isDirty: false };
    const isCall = marker === markup.blockBegin || FUNCTION_OPENED.has(marker);
    if (!isCall && !PARAMETER_OPENED.has(marker))
      return crossesCall ? { by: 'anything' } : { by: 'parameter', isDirty: true };
    // Text stands before it: that it begins something is no more certain than that the value ended.
    input.skip(marker.length);
    held += text;
    if (isCall) {
      crossesCall = true;
      held += marker;
      continue;
    }
    const { tag, raw: written } = yield* readTag(input, marker);
    if (tag !== undefined && !crossesCall && isNext(tag)) return { by: 'next', tag, isDirty: true };
    held += written;
  }
}

/** `</function>` or the end of the block, taken as `raw`, where `</parameter>` is missing. */
function* endAtOtherTag(
  input: ScriptInput,
  markup: FunctionMarkup,
  push: Push,
  raw: string,
  by: 'function' | 'block',
): Script<ValueEnd | undefined> {
  const at = input.offset;
  let isLast = by === 'block';
  for (let held = raw; ;) {
    const { text, marker } = yield* input.until(markup.behindValue);
    const isBlank = text.trim() === '' && held === raw;
    if (marker === undefined) return { by, at, isLast: true, isDirty: false };
    const isFunctionEnd = FUNCTION_CLOSED.has(marker);
    if (PARAMETER_CLOSED.has(marker) || (by === 'block' && isFunctionEnd)) {
      push(held + text);
      return undefined;
    }
    isLast ||= !isBlank;
    if (isBlank || !(isFunctionEnd || marker === markup.blockEnd))
      return { by, at, isLast, isDirty: false };
    // With text between them, these may be parts of the value too.
    input.skip(marker.length);
    held += text + marker;
  }
}

/** `<![CDATA[…]]>` or `<value>…</value>` around all of a value: markup that is no part of it. */
function* readWrapped(input: ScriptInput, push: Push): Script<ValueEnd | undefined> {
  const lead = yield* takeSpace(input);
  const begin = yield* input.takeAny(WRAPPER_BEGINS);
  const ends = begin === undefined ? undefined : WRAPPER_ENDS.get(begin);
  if (begin === undefined || ends === undefined) {
    push(lead);
    return undefined;
  }
  // It is held back as a whole: only its end shows whether it is a wrapper.
  let held = '';
  for (;;) {
    const { text, marker } = yield* input.until(ends);
    held += text;
    if (marker === undefined) return { by: 'nothing' };
    input.skip(marker.length);
    const space = yield* takeSpace(input);
    if (yield* input.takeAny(PARAMETER_ENDS)) {
      yield* input.take('>');
      push(held);
      return { by: 'parameter', isDirty: false };
    }
    held += marker + space;
    if (begin === CDATA) continue;
    push(lead + begin + held);
    return undefined;
  }
}

/** Whether what follows a function's tag in a value shows that it is one, rather than a mention of it. */
function* beginsFunction(input: ScriptInput, push: Push): Script<boolean> {
  push(yield* takeSpace(input));
  return (yield* input.startsWith('<parameter=')) || (yield* input.startsWith('</function>'));
}

function* skipFunction(input: ScriptInput, push: Push): Script<void> {
  for (let depth = 1; depth > 0;) {
    const { marker } = yield* input.until(NESTED, push);
    if (marker === undefined) return;
    input.skip(marker.length);
    push(marker);
    depth += marker === NESTED_BEGIN ? 1 : -1;
  }
}

const PARAMETER_OPENED: ReadonlySet<string> = new Set(PARAMETER_OPENINGS);
const FUNCTION_OPENED: ReadonlySet<string> = new Set(FUNCTION_OPENINGS);
const PARAMETER_CLOSED: ReadonlySet<string> = new Set(PARAMETER_CLOSINGS);
const FUNCTION_CLOSED: ReadonlySet<string> = new Set(FUNCTION_CLOSINGS);
const PARAMETER_ENDS = new MarkerSet(PARAMETER_CLOSINGS);
const NESTED_BEGIN = '<function=';
const NESTED = new MarkerSet([NESTED_BEGIN, '</function>']);
const CDATA = '<![CDATA[';
const WRAPPER_BEGINS = new MarkerSet([CDATA, '<value>']);
const WRAPPER_ENDS: ReadonlyMap<string, MarkerSet> = new Map([
  [CDATA, new MarkerSet([']]>'])],
  ['<value>', new MarkerSet(['</value>'])],
]);
