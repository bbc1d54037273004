import { callFingerprint } from '@holdfast/core/advise';
import type { Advice, AdvisedCall, Advisor, BeforeAdvice, ToolResult } from '@holdfast/core/advise';

/** As many calls as an advisor looks back on. */
const LOOKED_BACK_ON = 50;

/** Where one of these words stands near the beginning or the end, a result may be an error that is not called one. */
const MAY_BE_ERROR =
  /error|fail|exception|denied|traceback|fatal|panic|not found|invalid|refused|unable|cannot/i;
const NEAR = 500;

/**
 * An advisor that is only asked when it may have something to say. It speaks of failures and of repetitions: a
 * call that is like none of the last ones and went well is kept aside, and told later if it comes to that. So
 * agents that do well pay next to nothing for being watched.
 */
export class QuietAdvisor {
  readonly #advisor: Advisor;
  /** Calls the advisor has not heard of, oldest first. */
  readonly #kept: { readonly call: AdvisedCall; readonly end: ToolResult }[] = [];
  /** How often each of the last calls was made. */
  readonly #times = new Map<string, number>();
  readonly #order: string[] = [];
  /** How many good calls have to follow before it may be left alone again. */
  #watchedFor = 0;

  constructor(advisor: Advisor) {
    this.#advisor = advisor;
  }

  before(call: AdvisedCall): BeforeAdvice {
    this.#tellKept();
    return this.#advisor.before(call);
  }

  after(call: AdvisedCall, end: ToolResult): Advice | undefined {
    const isGood = this.#isNew(callFingerprint(call)) && isPlainlyGood(end);
    if (isGood && this.#watchedFor === 0) {
      this.#kept.push({ call, end });
      if (this.#kept.length > LOOKED_BACK_ON) this.#kept.shift();
      return undefined;
    }
    this.#tellKept();
    this.#watchedFor = isGood ? this.#watchedFor - 1 : LOOKED_BACK_ON;
    return this.#advisor.after(call, end).advice;
  }

  #tellKept(): void {
    for (const { call, end } of this.#kept.splice(0)) this.#advisor.after(call, end);
  }

  #isNew(fingerprint: string): boolean {
    const times = this.#times.get(fingerprint) ?? 0;
    this.#times.set(fingerprint, times + 1);
    this.#order.push(fingerprint);
    const oldest = this.#order.length > LOOKED_BACK_ON ? this.#order.shift() : undefined;
    if (oldest !== undefined) {
      const left = (this.#times.get(oldest) ?? 1) - 1;
      if (left === 0) this.#times.delete(oldest);
      else this.#times.set(oldest, left);
    }
    return times === 0;
  }
}

function isPlainlyGood({ isError, output = '' }: ToolResult): boolean {
  if (isError !== false) return false;
  if (output.length <= 2 * NEAR) return !MAY_BE_ERROR.test(output);
  return !MAY_BE_ERROR.test(output.slice(0, NEAR)) && !MAY_BE_ERROR.test(output.slice(-NEAR));
}
