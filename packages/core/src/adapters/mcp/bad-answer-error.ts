/** The server answered with a result that does not fit the tool's own output schema. */
export class BadAnswerError extends Error {
  override readonly name = 'BadAnswerError';
  /** Read as a server that is broken. */
  readonly code = 'SERVER_ERROR';

  /**
   * What a client's SDK throws in such a case has the code of wrong arguments: told as it is, a model would go on
   * correcting arguments that are right. Undefined for any other error.
   */
  static from(error: unknown): BadAnswerError | undefined {
    if (!(error instanceof Error)) return undefined;
    const { message } = error;
    if (!BAD_ANSWER.test(message.slice(0, LONGEST_BEGINNING))) return undefined;
    return new BadAnswerError(message.replace(/^MCP error -?\d+: /, ''));
  }
}

const BAD_ANSWER =
  /structured content does not match|validate structured content|has an output schema but did not|has an invalid outputschema/i;
const LONGEST_BEGINNING = 400;
