/** What kind of end a call that did not succeed had. */
export type FailureClass =
  /** The tool could not be reached, or the connection broke. */
  | 'transport'
  /** It did not answer in time. */
  | 'timeout'
  /** It is there and broken: HTTP 5xx and its kin. */
  | 'server'
  /** It is there and asks for patience. */
  | 'rate-limited'
  /** It ran and reported an error of its own: `isError`, or something thrown that says no more. */
  | 'tool-error'
  /** The call was not one it can take. */
  | 'invalid-arguments'
  /** Whoever called may not. */
  | 'auth'
  /** What was asked for does not exist. */
  | 'not-found'
  /** The caller took the call back. */
  | 'cancelled'
  /** It never ran: a circuit, a full queue or a rule refused it. */
  | 'refused';

/** What a class of failures means for circuits, for retries and for the model. */
export interface FailureRule {
  /** Whether it counts as a failure of the tool's circuit. What does not says nothing about the tool's health. */
  readonly counts: boolean;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** What the model is told to do next. */
  readonly say: string;
}

/** The one table that says what each class means. */
export const FAILURE_RULES: Readonly<Record<FailureClass, FailureRule>> = Object.freeze({
  transport: {
    counts: true,
    retryable: true,
    say: 'The tool could not be reached, or the connection broke. Do not repeat the call at once; use another tool or go on without it.',
  },
  timeout: {
    counts: true,
    retryable: true,
    say: 'The tool did not answer in time; it may have done its work all the same. Ask for less at once, or go on without it.',
  },
  server: {
    counts: true,
    retryable: true,
    say: 'The service behind the tool is failing. Do not repeat the call at once; use another tool or go on without it.',
  },
  'rate-limited': {
    counts: true,
    retryable: true,
    say: 'The service asks for fewer calls. Wait before calling it again, and ask for more in one call.',
  },
  'tool-error': {
    counts: true,
    retryable: false,
    say: 'The tool ran and reported an error. Read it and change the call before trying again.',
  },
  'invalid-arguments': {
    counts: false,
    retryable: false,
    say: 'The arguments were not accepted. Correct them as the message says; the same call will fail again.',
  },
  auth: {
    counts: false,
    retryable: false,
    say: 'Access was denied. Do not repeat the call or work around it; ask the user.',
  },
  'not-found': {
    counts: false,
    retryable: false,
    say: 'What was asked for does not exist. Look up the right name or path first.',
  },
  cancelled: {
    counts: false,
    retryable: false,
    say: 'The call was cancelled. Do not repeat it unless asked to.',
  },
  refused: {
    counts: false,
    retryable: false,
    say: 'Use another tool, or go on without it.',
  },
});

/** A failure, read from whatever was thrown or returned. */
export interface Failure {
  readonly class: FailureClass;
  /** One line that says what happened. */
  readonly message: string;
  /** What the server asked to wait, if it did. */
  readonly retryAfterMs?: number;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** `ECONNREFUSED`, `-32602`, … */
  readonly code?: string;
  /** What was thrown or returned. */
  readonly cause?: unknown;
  /** The same object in all failures of one incident, as a crash under many calls: a circuit counts it once. */
  readonly incident?: object;
}
