import { DOT, isWord, SLASH, COLON } from '../json/char-code.ts';

const HYPHEN = 0x2d;

/** A character of the name of a tool, with what servers put before it. */
export function isNameCharacter(code: number): boolean {
  return isWord(code) || code === HYPHEN || code === DOT || code === COLON || code === SLASH;
}
