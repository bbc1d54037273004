import type { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import type { InvokeTags } from './invoke-tags.ts';
import { takeSpace } from './take-space.ts';
import type { ValueText } from './value-text.ts';

/** What ended the text of a parameter, and was taken; `nothing` when its closing tag was forgotten. */
export type ValueEnd = 'parameter-close' | 'invoke-close' | 'wrapper-close' | 'nothing' | 'cut';

/**
 * Reads the text of a parameter. It may hold anything, tags of the format too: those of a whole call inside
 * it belong to it, and a closing tag counts only if what follows can follow it. `mayFollow` says whether a
 * parameter may be the next one: else its tag is part of the text.
 */
export function* readInvokeValue(
  input: ScriptInput,
  tags: InvokeTags,
  value: ValueText,
  isWrapped: boolean,
  mayFollow: (key: string) => boolean,
): Script<ValueEnd> {
  const add = (piece: string): void => value.add(piece);
  /** Calls, and blocks of calls, that are open in the text. */
  let calls = 0;
  let wrappers = 0;
  /** Where the first closing tag ends that was doubted, and whether a call began in the text, or after that tag. */
  let doubtedTo = -1;
  let hasCall = false;
  const endBy = (end: ValueEnd): ValueEnd => {
    if (end === 'parameter-close' || end === 'cut') value.settle();
    else {
      value.giveUp();
      value.isLossy ||= hasCall;
      // What follows the closing tag, with a call in it, belongs to nothing that was read.
      if (hasCall && doubtedTo >= 0) input.endsAt = doubtedTo;
    }
    return end;
  };
  for (;;) {
    const { marker } = yield* input.until(tags.inValue, add);
    const kind = marker === undefined ? undefined : tags.kindOf(marker);
    if (marker === undefined || kind === undefined) return endBy('cut');
    if (kind === 'parameter-open' && calls === 0) {
      const key = yield* peekAttribute(input, marker.length);
      if (mayFollow(key)) return endBy('nothing');
    }
    input.skip(marker.length);
    if (kind === 'parameter-close' && calls === 0) {
      const closedAt = input.offset;
      const space = yield* takeSpace(input);
      if (yield* isFollowedBy(input, tags.afterParameter)) return endBy(kind);
      if (doubtedTo < 0) doubtedTo = closedAt;
      value.doubt(marker + space);
    } else if (kind === 'invoke-close' && calls === 0) {
      if (!isWrapped) return endBy(kind);
      const space = yield* takeSpace(input);
      if (yield* isFollowedBy(input, tags.afterInvoke)) return endBy(kind);
      value.add(marker + space);
    } else if (kind === 'wrapper-close' && wrappers === 0) {
      const space = yield* takeSpace(input);
      if (yield* input.isAtEnd()) return endBy(kind);
      value.add(marker + space);
    } else {
      hasCall ||= kind === 'invoke-open';
      if (kind === 'invoke-open') calls++;
      else if (kind === 'invoke-close') calls--;
      else if (kind === 'wrapper-open') wrappers++;
      else if (kind === 'wrapper-close') wrappers--;
      value.add(marker);
    }
  }
}

const LONGEST = 128;
const STEP = 16;

/** The attribute that stands so many characters ahead. */
function* peekAttribute(input: ScriptInput, ahead: number): Script<string> {
  for (let count = STEP; ; count += STEP) {
    const text = (yield* input.peek(ahead + count)).slice(ahead);
    const end = text.indexOf('>');
    if (end < 0 && text.length === count && count < LONGEST) continue;
    const written = (end < 0 ? text : text.slice(0, end)).trim();
    const quote = written.charAt(0);
    if (quote !== '"' && quote !== "'") return written.split(/[\s/]/, 1)[0] ?? '';
    return written.slice(1).split(quote, 1)[0]?.trim() ?? '';
  }
}

/** Whether one of `markers` comes next, or nothing more. */
function* isFollowedBy(input: ScriptInput, markers: MarkerSet): Script<boolean> {
  return (yield* input.peekAny(markers)) !== undefined || (yield* input.isAtEnd());
}
