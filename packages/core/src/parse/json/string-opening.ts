import { AMPERSAND, DOUBLE_QUOTE, isQuote, SINGLE_QUOTE } from './char-code.ts';
import { entityQuoteAt } from './entities.ts';
import { startsMarker } from './string-end.ts';
import type { Delimiter } from './string-reader.ts';

/** How a string is opened. */
export interface StringOpening {
  readonly delimiter: Delimiter;
  readonly length: number;
  /** The escaped quote, where one opens it. */
  readonly entity: string;
}

const PLAIN: StringOpening = { delimiter: 'plain', length: 1, entity: '' };
const TRIPLE: StringOpening = { delimiter: 'triple', length: 3, entity: '' };

/** What opens a string at `at`, if anything does; `unclear` while that depends on what comes next. */
export function stringOpeningAt(
  text: string,
  at: number,
  ending: boolean,
): StringOpening | 'unclear' | undefined {
  const code = text.charCodeAt(at);
  if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
    if (at + 1 < text.length && text.charCodeAt(at + 1) !== code) return PLAIN;
    const triple = startsMarker(text, at, code === DOUBLE_QUOTE ? '"""' : "'''", ending);
    if (triple === 'unclear') return 'unclear';
    return triple === 'ends' ? TRIPLE : PLAIN;
  }
  if (code === AMPERSAND) {
    const entity = entityQuoteAt(text, at, ending);
    if (entity === undefined || entity === 'unclear') return entity;
    return { delimiter: 'entity', length: entity.length, entity };
  }
  return isQuote(code) ? PLAIN : undefined;
}
