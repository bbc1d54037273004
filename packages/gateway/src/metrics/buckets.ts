// The bounds that OpenTelemetry's conventions ask for, so that our histograms can be added to those of others.

/** Seconds of a request to a model, and of the turn it is for. */
export const GEN_AI_SECONDS: readonly number[] = Object.freeze([
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]);

/** Seconds until a model says its first word. */
export const FIRST_TOKEN_SECONDS: readonly number[] = Object.freeze([
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]);

/** Tokens of a turn. */
export const TOKENS: readonly number[] = Object.freeze([
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
]);

/** Seconds of a request of MCP. */
export const MCP_SECONDS: readonly number[] = Object.freeze([
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
]);
