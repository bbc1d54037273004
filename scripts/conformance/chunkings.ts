/** A way of cutting a text into chunks. */
export interface Chunking {
  readonly name: string;
  readonly chunks: readonly string[];
}

/** Cuts `text` every `size` UTF-16 code units, so surrogate pairs are cut apart as well. */
export function cutEvery(text: string, size: number): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size));
  return chunks;
}

/** Cuts `text` into chunks of 1 to 12 code units; the same seed always cuts the same way. */
export function cutRandomly(text: string, seed: number): string[] {
  const random = seededRandom(seed);
  const chunks: string[] = [];
  for (let at = 0; at < text.length;) {
    const size = 1 + Math.floor(random() * 12);
    chunks.push(text.slice(at, at + size));
    at += size;
  }
  return chunks;
}

/** The chunkings every text is streamed in. */
export function standardChunkings(
  text: string,
  sizes: readonly number[],
  seed: number,
): Chunking[] {
  return [
    ...sizes.map((size) => ({ name: `chunks of ${size}`, chunks: cutEvery(text, size) })),
    { name: `random chunks, seed ${seed}`, chunks: cutRandomly(text, seed) },
  ];
}

/** Mulberry32: small, and good enough to choose where to cut. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
