import type { Mask } from '../redact/redactor.ts';

/** The longest line that is kept of what failed. */
export const LONGEST_LINE = 200;
/** Where a text is cut before it is searched for secrets: far behind what is kept, so that none is found half. */
const SEARCHED_LENGTH = 4096;

/** A text of others as one short line without secrets. */
export function shortLine(text: string, mask: Mask, longest: number = LONGEST_LINE): string {
  const line = mask(text.slice(0, SEARCHED_LENGTH)).replace(NO_CHARACTERS, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** White space, line breaks and what else would not be seen on a line. */
const NO_CHARACTERS = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu;
