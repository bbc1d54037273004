/** What a surrogate counts. */
export const HALF_OF_A_PAIR = 2;
const NON_ASCII = /[^\0-\x7f]/;

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
 * The index of the first character of `text`, from `from` on, that does not fit into so many bytes. A pair that would
 * fit by half is not begun; as the other half may come in another chunk, the first asks for the room of both.
 */
export function fitUtf8(text: string, from: number, room: number): number {
  // No more characters than bytes: what lies behind is not looked at.
  const end = Math.min(text.length, from + Math.max(0, room) + 1);
  // Mostly all of it fits, and that is settled without a look at each.
  if (utf8Length(text.slice(from, end)) + HALF_OF_A_PAIR <= room) return text.length;
  let left = room;
  for (let at = from; at < end; at++) {
    const unit = text.charCodeAt(at);
    const bytes = utf8Length(text.charAt(at));
    const isFirstOfPair = unit >= 0xd800 && unit < 0xdc00;
    if (left < (isFirstOfPair ? bytes + HALF_OF_A_PAIR : bytes)) return at;
    left -= bytes;
  }
  return text.length;
}
