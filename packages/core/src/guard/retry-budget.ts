import { checkOptions, count } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { FailureClass } from '../internal/failure-class.ts';

/** How many retries a circuit may afford. */
export interface RetryBudgetOptions {
  /** Tokens when full, as it is at first. @defaultValue 500 */
  readonly capacity?: number;
  /** What a retry takes. @defaultValue 5 */
  readonly cost?: number;
  /** What a retry takes after a timeout, which has held a connection and a caller all that time. @defaultValue 10 */
  readonly timeoutCost?: number;
  /** What a success gives back. @defaultValue 1 */
  readonly gain?: number;
  /** Retries that are allowed in any second, paid for or not. @defaultValue 3 */
  readonly minPerSecond?: number;
}

/**
 * The numbers of the AWS SDKs: a full budget lasts for 100 retries, and after that one in five calls that
 * succeed pays for another, so that retries add at most a fifth to the load of a service that is recovering.
 * The three per second are Envoy's: a circuit with little traffic has no successes to pay with.
 */
export const RETRY_BUDGET_DEFAULTS: Required<RetryBudgetOptions> = Object.freeze({
  capacity: 500,
  cost: 5,
  timeoutCost: 10,
  gain: 1,
  minPerSecond: 3,
});

const RULES: Readonly<Record<keyof RetryBudgetOptions, OptionRule>> = {
  capacity: count(0),
  cost: count(0),
  timeoutCost: count(0),
  gain: count(0),
  minPerSecond: count(0),
};

const SECOND_MS = 1000;

/** Keeps retries from burying a service that fails: they are paid for, and successes earn the money. */
export class RetryBudget {
  readonly #settings: Required<RetryBudgetOptions>;
  #tokens: number;
  #taken = 0;
  #secondBeganAt = -Infinity;
  #takenInSecond = 0;

  constructor(options: RetryBudgetOptions = {}) {
    checkOptions(options, RULES, 'budget');
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    this.#settings = { ...RETRY_BUDGET_DEFAULTS, ...Object.fromEntries(given) };
    this.#tokens = this.#settings.capacity;
  }

  /** What is left to pay with. */
  get tokens(): number {
    return this.#tokens;
  }

  /** All that retries have taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether a retry after such a failure may be made now; if so, it is paid. */
  take(failureClass: FailureClass, now: number): boolean {
    const { cost, timeoutCost, minPerSecond } = this.#settings;
    if (now - this.#secondBeganAt >= SECOND_MS) {
      this.#secondBeganAt = now;
      this.#takenInSecond = 0;
    }
    const price = failureClass === 'timeout' ? timeoutCost : cost;
    const isPaid = this.#tokens >= price;
    if (!isPaid && this.#takenInSecond >= minPerSecond) return false;
    if (isPaid) {
      this.#tokens -= price;
      this.#taken += price;
    }
    this.#takenInSecond++;
    return true;
  }

  /** A call succeeded. */
  succeeded(): void {
    const { capacity, gain } = this.#settings;
    this.#tokens = Math.min(this.#tokens + gain, capacity);
  }

  /** Goes by what others who share it have left; `sinceTold` is what came and went here without their knowing. */
  share(tokens: number, sinceTold: number): void {
    this.#tokens = Math.min(Math.max(tokens + sinceTold, 0), this.#settings.capacity);
  }
}
