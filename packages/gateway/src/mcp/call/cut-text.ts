/**
 * The beginning of a text, at most so many bytes of UTF-8, up to the end of a line where that loses no more than
 * half of it. No character is cut in two.
 */
export function cutText(text: string, maxBytes: number): string {
  const start = beginning(text, maxBytes);
  if (start.length === text.length) return text;
  const lineEnd = start.lastIndexOf('\n') + 1;
  return lineEnd * 2 > start.length ? start.slice(0, lineEnd) : start;
}

function beginning(text: string, maxBytes: number): string {
  // A unit of a string is at least one byte: what lies behind cannot fit, and need not be looked at.
  const most = wholeCharacters(text, Math.min(text.length, maxBytes));
  const bytes = Buffer.from(text.slice(0, most), 'utf8');
  if (bytes.length <= maxBytes) return text.slice(0, most);
  let end = maxBytes;
  // The bytes of one character that follow its first all begin with 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

/** `length` or one less: half of a surrogate pair is no character. */
function wholeCharacters(text: string, length: number): number {
  if (length === text.length) return length;
  const last = text.charCodeAt(length - 1);
  return last >= 0xd800 && last <= 0xdbff ? length - 1 : length;
}
