import type { Readable } from 'node:stream';

/** What is made of a piece is many times as large, and is kept while a client reads slowly. */
const PIECE_BYTES = 2048;

/**
 * Reads a body a few bytes at a time. What is not read yet stays in the body, which then takes nothing more from its
 * connection; its own iterator would read one more packet ahead.
 */
export async function* readPieces(body: Readable): AsyncGenerator<Uint8Array, undefined> {
  let wake = (): void => undefined;
  for (const event of ['readable', 'end', 'error', 'close']) body.on(event, () => wake());
  for (;;) {
    const piece = body.read(Math.min(body.readableLength, PIECE_BYTES)) as Uint8Array | null;
    if (piece !== null) yield piece;
    else if (body.errored) throw body.errored;
    else if (body.readableEnded || body.destroyed) return undefined;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
}
