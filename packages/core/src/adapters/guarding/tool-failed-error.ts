import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { HoldfastError } from '../../errors.ts';
import { FAILURE_RULES } from '../../internal/failure-class.ts';
import type { Failure } from '../../internal/failure-class.ts';
import { outcomeText } from './outcome-text.ts';

/** A guarded tool failed, or was not asked. The message is for the model: what failed, and what to do next. */
export class ToolFailedError extends HoldfastError {
  readonly tool: string;
  readonly failure: Failure;

  constructor(outcome: Extract<ToolOutcome, { ok: false }>) {
    const { call, failure, retryAfterMs } = outcome;
    super('tool-failed', outcomeText(outcome), {
      retryable: FAILURE_RULES[failure.class].retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      cause: failure.cause,
    });
    this.tool = call.name;
    this.failure = failure;
  }
}
