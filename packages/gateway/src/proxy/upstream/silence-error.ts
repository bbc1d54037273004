/** An upstream that said nothing for too long. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
  /** Whether it had begun to answer. */
  readonly hadBegun: boolean;
  readonly waitedMs: number;

  constructor(hadBegun: boolean, waitedMs: number) {
    super(`nothing came for ${waitedMs} ms`);
    this.hadBegun = hadBegun;
    this.waitedMs = waitedMs;
  }
}
