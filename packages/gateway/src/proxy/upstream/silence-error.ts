/** An upstream that sent no content for too long. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
  /** Whether it had sent content before. */
  readonly hadBegun: boolean;
  readonly waitedMs: number;

  constructor(hadBegun: boolean, waitedMs: number) {
    super(`no content came for ${waitedMs} ms`);
    this.hadBegun = hadBegun;
    this.waitedMs = waitedMs;
  }
}
