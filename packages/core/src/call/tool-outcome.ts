import type { Advice } from '../advise/advice.ts';
import type { CircuitMetadata } from '../guard/breaker/circuit-metadata.ts';
import type { Failure } from '../internal/failure-class.ts';
import type { CheckIssue } from '../check/check-issue.ts';
import type { ToolCall } from '../types.ts';

interface OutcomeBase {
  /** The call as it was run: with the name and the arguments that check had set right. */
  readonly call: ToolCall;
  /** Attempts made; 0 where the tool was not asked. */
  readonly attempts: number;
  readonly durationMs: number;
  /** What the result tells of its circuit. */
  readonly metadata: CircuitMetadata;
  /** What else the model should hear, where an advisor has something to say: after the result or the message. */
  readonly advice?: Advice;
}

/** What became of a call, for the one who called and for the model. Nothing is thrown. */
export type ToolOutcome =
  | (OutcomeBase & { readonly ok: true; readonly value: unknown })
  | (OutcomeBase & {
      readonly ok: false;
      readonly failure: Failure;
      /** What the model is told: what failed, and what to do next. */
      readonly message: string;
      /** What the tool returned, where it returned an error of its own. */
      readonly value?: unknown;
      /** When to ask again, where that is known. */
      readonly retryAfterMs?: number;
      /** What is wrong with the arguments, where they were not accepted. */
      readonly issues?: readonly CheckIssue[];
    });
