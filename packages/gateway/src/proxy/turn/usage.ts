/** What a turn cost, as far as the upstream says. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Input tokens that were read from a cache; part of `inputTokens`. */
  readonly cachedTokens?: number;
  /** Output tokens that were reasoning; part of `outputTokens`. */
  readonly reasoningTokens?: number;
  /** Set where the upstream reported nothing, so that the numbers are an estimate. */
  readonly estimated?: true;
}
