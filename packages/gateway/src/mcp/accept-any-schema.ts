/** For the SDK: whether values fit their schemas is for the two ends to judge, not for what stands between them. */
export const ACCEPT_ANY_SCHEMA = {
  getValidator:
    () =>
    (input: unknown): { valid: true; data: never; errorMessage: undefined } => ({
      valid: true,
      data: input as never,
      errorMessage: undefined,
    }),
};
