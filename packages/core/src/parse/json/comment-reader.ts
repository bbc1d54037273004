import { ASTERISK, HASH, isSpace, SLASH } from './char-code.ts';

export type CommentKind = 'line' | 'block';

/** What `read` returns when the text ran out inside the comment. */
export const COMMENT_GOES_ON = -1;

/** Skips one comment, from after its opening to after its end, over any number of chunks. */
export class CommentReader {
  /** How much of the text given to `read` is done with when it returns `COMMENT_GOES_ON`. */
  consumed = 0;
  #kind: CommentKind = 'line';

  begin(kind: CommentKind): void {
    this.#kind = kind;
  }

  /** Reads on from `text[from]`. Returns the index after the comment, or `COMMENT_GOES_ON`. */
  read(text: string, from: number, ending: boolean): number {
    const closing = this.#kind === 'line' ? '\n' : '*/';
    const end = text.indexOf(closing, from);
    if (end >= 0) return end + closing.length;
    // A last `*` is kept: its slash may be in the next chunk.
    const isHalfClosed = this.#kind === 'block' && !ending && text.endsWith('*');
    this.consumed = isHalfClosed ? text.length - 1 : text.length;
    return COMMENT_GOES_ON;
  }
}

/**
 * Which comment begins at `at`, where a slash or a hash stands; `unclear` while that depends on the next character.
 * Where a value belongs, `#fff` is one, and only a hash with space behind it begins a comment.
 */
export function commentAt(
  text: string,
  at: number,
  isBeforeValue: boolean,
  ending: boolean,
): CommentKind | 'none' | 'unclear' {
  const isHash = text.charCodeAt(at) === HASH;
  if (isHash && !isBeforeValue) return 'line';
  if (at + 1 >= text.length && !ending) return 'unclear';
  const next = text.charCodeAt(at + 1);
  if (isHash) return isSpace(next) ? 'line' : 'none';
  if (next === SLASH) return 'line';
  return next === ASTERISK ? 'block' : 'none';
}
