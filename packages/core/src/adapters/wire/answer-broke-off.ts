import { HoldfastError } from '../../errors.ts';

/** What is said where a server ends its answer without an end, in the words that OpenAI's errors have. */
export const ANSWER_BROKE_OFF: Readonly<{ message: string; type: string; code: string }> =
  Object.freeze({
    message:
      'the server ended its answer without saying that it is complete: the rest of it is missing, and a call that was cut with it is not told',
    type: 'server_error',
    code: 'answer_broke_off',
  });

/** The same, for SDKs that make no error of it themselves. */
export function answerBrokeOff(): HoldfastError {
  return new HoldfastError('answer-broke-off', ANSWER_BROKE_OFF.message, { retryable: true });
}
