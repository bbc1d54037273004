/**
 * A copy in one piece. A text put together with `+` or cut with `slice` is a tree or a view inside V8, which
 * the first reader pays for; what arrives from a socket is flat.
 */
export function flat(text) {
  return JSON.parse(JSON.stringify(text));
}

/** The text in flat chunks of `size` characters. */
export function chunksOf(text, size) {
  const chunks = [];
  for (let at = 0; at < text.length; at += size) chunks.push(flat(text.slice(at, at + size)));
  return chunks;
}
