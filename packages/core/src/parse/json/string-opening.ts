import { AMPERSAND, DOUBLE_QUOTE, isQuote } from './char-code.ts';
import { entityQuoteAt } from './entities.ts';
import type { Delimiter } from './string-reader.ts';

/** How a string is opened. */
export interface StringOpening {
  readonly delimiter: Delimiter;
  readonly length: number;
  /** The escaped quote, where one opens it. */
  readonly entity: string;
}

/** A plain quote, whatever its kind. */
export const PLAIN_OPENING: StringOpening = { delimiter: 'plain', length: 1, entity: '' };

/** What opens a string at `at`, if anything does; `unclear` while that depends on what comes next. */
export function stringOpeningAt(
  text: string,
  at: number,
  ending: boolean,
): StringOpening | 'unclear' | undefined {
  const code = text.charCodeAt(at);
  if (code === DOUBLE_QUOTE) return PLAIN_OPENING;
  if (code === AMPERSAND) {
    const entity = entityQuoteAt(text, at, ending);
    if (entity === undefined || entity === 'unclear') return entity;
    return { delimiter: 'entity', length: entity.length, entity };
  }
  return isQuote(code) ? PLAIN_OPENING : undefined;
}
