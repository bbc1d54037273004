import { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** `<function=NAME>`, `</function>`, `<parameter=NAME>` or `</parameter>`, in any of the spellings of models. */
export interface FunctionTag {
  readonly element: 'function' | 'parameter';
  readonly isClosing: boolean;
  /** `<function=now/>` */
  readonly isEmpty: boolean;
  /** Empty where the tag names nothing. */
  readonly name: string;
  /** Whether the name stands where a `=` is missing before it. */
  readonly isGuess: boolean;
  /** All that was taken. */
  readonly raw: string;
  /** What was taken behind the name where the tag has no `>`: it is no part of the tag. */
  readonly rest: string;
}

type Element = FunctionTag['element'];

const OPEN_BEGINS = ['<', '< '];
const CLOSE_BEGINS = ['</', '</ ', '< /'];

function spellings(begins: readonly string[], element: Element): string[] {
  return begins.map((begin) => begin + element);
}

export const PARAMETER_OPENINGS: readonly string[] = spellings(OPEN_BEGINS, 'parameter');
export const PARAMETER_CLOSINGS: readonly string[] = spellings(CLOSE_BEGINS, 'parameter');
export const FUNCTION_OPENINGS: readonly string[] = spellings(OPEN_BEGINS, 'function');
export const FUNCTION_CLOSINGS: readonly string[] = spellings(CLOSE_BEGINS, 'function');
/** Other words for a function, believed only with their `=`. */
export const OTHER_HEADS: readonly string[] = ['<call=', '<tool=', '<invoke='];

const CLOSINGS: ReadonlySet<string> = new Set([...PARAMETER_CLOSINGS, ...FUNCTION_CLOSINGS]);
/** Nothing that is a tag is longer. */
const LONGEST_TAG = 256;
const NAME_BEGIN = /^(?:\s+(?:name|id|key))?\s*=\s*/;
const ATTRIBUTE = /^\s+[\w:-]+\s*=/;
const PLAIN_NAME = /^=[\w.-]+$/;
const GUESSED_NAME = /^\s?[\w.-]+$/;

/** Reads on from `marker`, the beginning of a tag, which was taken. Undefined when it is no tag; `taken` is told either way. */
export function* readTag(
  input: ScriptInput,
  marker: string,
): Script<{ tag: FunctionTag | undefined; raw: string }> {
  const inside = yield* input.takeWhile(isInside, LONGEST_TAG);
  const hasEnd = inside.length < LONGEST_TAG && (yield* input.take('>'));
  const raw = marker + inside + (hasEnd ? '>' : '');
  const element = marker.includes('parameter') ? 'parameter' : 'function';
  const named = marker.endsWith('=') ? `=${inside}` : inside;
  const tag = CLOSINGS.has(marker)
    ? readClosing(element, inside, hasEnd, raw)
    : readOpening(element, named, hasEnd, raw);
  return { tag, raw };
}

function readClosing(
  element: Element,
  inside: string,
  hasEnd: boolean,
  raw: string,
): FunctionTag | undefined {
  // `</parameters>` is another tag, `</parameter=city>` is this one.
  const isSpelt = inside.trim() === '' || (hasEnd && inside.trimStart().startsWith('='));
  if (!isSpelt) return undefined;
  return { element, isClosing: true, isEmpty: false, name: '', isGuess: false, raw, rest: '' };
}

function readOpening(
  element: Element,
  inside: string,
  hasEnd: boolean,
  raw: string,
): FunctionTag | undefined {
  // Nearly all are spelt like this.
  if (hasEnd && PLAIN_NAME.test(inside)) {
    const name = inside.slice(1);
    return { element, isClosing: false, isEmpty: false, name, isGuess: false, raw, rest: '' };
  }
  const common = { element, isClosing: false, raw } as const;
  const begin = NAME_BEGIN.exec(inside);
  if (begin === null) {
    const name = inside.trim();
    if (!hasEnd || (name !== '' && !GUESSED_NAME.test(inside))) return undefined;
    return { ...common, isEmpty: false, name, isGuess: name !== '', rest: '' };
  }
  let written = inside.slice(begin[0].length);
  // `<parameter=parameter=city>`
  while (written.startsWith(`${element}=`)) written = written.slice(element.length + 1);
  const { name, rest } = splitName(written, hasEnd);
  const isEmpty = hasEnd && (rest.trim() === '/' || (rest === '' && name.endsWith('/')));
  const clean = isEmpty && rest === '' ? name.slice(0, -1) : name;
  if (clean === '') return undefined;
  return { ...common, isEmpty, name: clean, isGuess: false, rest: hasEnd ? '' : rest.trimStart() };
}

/**
 * A name, quoted or not, and what follows it. In a tag that is closed, words behind a name that are no
 * attributes are part of it.
 */
function splitName(written: string, isClosed: boolean): { name: string; rest: string } {
  const quote = written.charAt(0);
  const isQuoted = quote === '"' || quote === "'";
  const end = isQuoted ? written.indexOf(quote, 1) : -1;
  if (end > 0) return { name: written.slice(1, end).trim(), rest: written.slice(end + 1) };
  const bare = isQuoted ? written.slice(1) : written;
  const space = bare.search(/\s/);
  const rest = space < 0 ? '' : bare.slice(space);
  const isWhole = isClosed && !ATTRIBUTE.test(rest) && rest.trim() !== '/';
  return isWhole
    ? { name: bare.trim(), rest: '' }
    : { name: bare.slice(0, -rest.length || undefined), rest };
}

function isInside(code: number): boolean {
  return code !== LESS_THAN && code !== GREATER_THAN && code !== NEWLINE;
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const NEWLINE = 0x0a;

/** Where a function may begin. */
export const HEADS: MarkerSet = new MarkerSet([
  ...FUNCTION_OPENINGS,
  ...OTHER_HEADS,
  // The bracket is what some models forget.
  'function=',
]);
