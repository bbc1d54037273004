const NON_ASCII = /[^\0-\x7f]/;

/** How many bytes `text` takes in UTF-8. A lone surrogate counts three, as encoders write U+FFFD. */
export function utf8Length(text: string): number {
  // Most text is ASCII, and on a long text a native search settles that far faster than a loop.
  if (text.length > 32 && !NON_ASCII.test(text)) return text.length;
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text, i + 1)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Whether `text` takes more than `limit` bytes in UTF-8, counting only when the length does not settle it. */
export function exceedsUtf8(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  if (text.length * 3 <= limit) return false;
  return utf8Length(text) > limit;
}
