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
