import { skipSpace } from '../json/char-code.ts';
import type { FindHead } from './headed-reader.ts';

/** How much space may stand between the literals. */
const MOST_SPACE = 64;

/** Finds what stands behind literals that follow one another, with or without space before each. */
export function markerHead(...literals: readonly string[]): FindHead {
  return (text, from) => {
    let at = from;
    for (const literal of literals) {
      const start = skipSpace(text, at);
      if (start - at > MOST_SPACE) return 'no';
      if (text.startsWith(literal, start)) at = start + literal.length;
      else return literal.startsWith(text.slice(start)) ? 'unclear' : 'no';
    }
    return at;
  };
}
