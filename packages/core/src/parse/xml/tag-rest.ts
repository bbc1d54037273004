import { GREATER_THAN, isSpace, NEWLINE, SLASH } from '../json/char-code.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** What stands in a tag behind its name. */
export interface TagRest {
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether it ends with `/>`. */
  readonly isEmpty: boolean;
}

/** No attribute of a call is longer; prose is. */
const LONGEST = 256;
const MOST = 8;
const LESS_THAN = 0x3c;

/**
 * Reads a tag from behind its name: `name="f" string='true' />`, quotes of either kind or none, and
 * `=f` for `name="f"`. Undefined when it is no tag, or not all of it is there.
 */
export function* readTagRest(input: ScriptInput): Script<TagRest | undefined> {
  const attributes = new Map<string, string>();
  for (let count = 0; count < MOST; count++) {
    yield* skipGaps(input);
    if (yield* input.take('>')) return { attributes, isEmpty: false };
    if (yield* input.take('/>')) return { attributes, isEmpty: true };
    const key = yield* input.takeWhile(isKeyCode, LONGEST);
    yield* skipGaps(input);
    if (yield* input.take('=')) {
      yield* skipGaps(input);
      const value = yield* readAttribute(input);
      if (value === undefined) return undefined;
      attributes.set(key === '' ? 'name' : key, value);
    } else if (key === '') return undefined;
  }
  return undefined;
}

function* readAttribute(input: ScriptInput): Script<string | undefined> {
  const quote = yield* input.peek(1);
  if (quote !== '"' && quote !== "'") {
    const bare = yield* input.takeWhile(isBareCode, LONGEST);
    return bare === '' ? undefined : bare;
  }
  input.skip(1);
  const end = quote.charCodeAt(0);
  const value = yield* input.takeWhile((code) => code !== end && code !== NEWLINE, LONGEST);
  return (yield* input.take(quote)) ? value : undefined;
}

/** Space, and what some tokenizers leave in its place. */
function* skipGaps(input: ScriptInput): Script<void> {
  yield* input.takeWhile(isGapCode, LONGEST);
}

function isGapCode(code: number): boolean {
  return isSpace(code) || code === 0x120 || code === 0x10a;
}

function isKeyCode(code: number): boolean {
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return isLetter || (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
}

function isBareCode(code: number): boolean {
  return !isGapCode(code) && code !== GREATER_THAN && code !== SLASH && code !== LESS_THAN;
}
