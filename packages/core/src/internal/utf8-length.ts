/** What a surrogate counts. */
export const HALF_OF_A_PAIR = 2;
const NON_ASCII = /[^\0-\x7f]/;
/** How much is counted at once where the end of the room is looked for. */
const PIECE_LENGTH = 1024;

/**
 * How many bytes `text` takes in UTF-8. A surrogate counts two, half of its pair, so that a text counts the
 * same however it is cut into chunks.
 */
export function utf8Length(text: string): number {
  // Most text is ASCII, and on a long text a native search settles that far faster than a loop.
  if (text.length > 32 && !NON_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Whether `text` takes more than `limit` bytes in UTF-8, counting only when the length does not settle it. */
export function exceedsUtf8(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return utf8Length(text) > limit;
}

/**
 * What of `text`, from `from` on, fits into so many bytes: the index of the first character that does not, and the
 * bytes of those that do. A pair that would fit by half is not begun; as the other half may come in another chunk, the
 * first asks for the room of both.
 */
export function fitUtf8(text: string, from: number, room: number): { end: number; bytes: number } {
  let left = room;
  let at = from;
  // Whole pieces first: a native search tells of most of them that they are ASCII.
  while (at < text.length) {
    const piece = text.slice(at, at + PIECE_LENGTH);
    const bytes = utf8Length(piece);
    if (bytes + HALF_OF_A_PAIR > left) break;
    left -= bytes;
    at += piece.length;
  }
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const bytes = utf8Length(text.charAt(at));
    const isFirstOfPair = unit >= 0xd800 && unit < 0xdc00;
    if (left < (isFirstOfPair ? bytes + HALF_OF_A_PAIR : bytes)) break;
    left -= bytes;
  }
  return { end: at, bytes: room - left };
}
