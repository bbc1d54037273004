/** Changes a stream piece by piece. */
export interface PieceMender<Piece> {
  read(piece: Piece): readonly Piece[];
  /** The source is over, or it broke, which whoever reads is told behind this: what was held back. */
  end(how: 'over' | 'broken'): readonly Piece[];
}

/**
 * A stream with its pieces mended. Where the source breaks, what was held back is told before the error; a
 * reader that is slow slows the source down, and one that goes away ends it.
 */
export function mendStream<Piece>(
  source: ReadableStream<Piece>,
  mender: PieceMender<Piece>,
): ReadableStream<Piece> {
  const reader = source.getReader();
  let failure: { readonly error: unknown } | undefined;
  const next = async (): Promise<{ readonly pieces: readonly Piece[]; readonly done: boolean }> => {
    try {
      const { value, done } = await reader.read();
      return done ? { pieces: mender.end('over'), done } : { pieces: mender.read(value), done };
    } catch (error) {
      failure = { error };
      return { pieces: mender.end('broken'), done: false };
    }
  };
  return new ReadableStream<Piece>(
    {
      async pull(controller) {
        for (;;) {
          if (failure !== undefined) {
            controller.error(failure.error);
            return;
          }
          const { pieces, done } = await next();
          for (const piece of pieces) controller.enqueue(piece);
          if (done) controller.close();
          if (done || pieces.length > 0) return;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
