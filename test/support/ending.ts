export interface Ending {
  /** What it was rejected with; undefined where it was not. */
  readonly error: unknown;
  readonly tookMs: number;
}

/** What a promise comes to, and how long that takes. */
export async function ending(promise: Promise<unknown>): Promise<Ending> {
  const startedAt = performance.now();
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, tookMs: performance.now() - startedAt };
}
