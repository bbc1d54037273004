import type { Refusal } from './breaker/circuit-breaker.ts';
import type { Failure } from '../internal/failure-class.ts';

/** How a guarded call ended: a value, or what failed. Nothing is thrown. */
export type Outcome<T> =
  | {
      readonly ok: true;
      readonly value: T;
      /** Attempts made, from 1. */
      readonly attempts: number;
      /** Whether a circuit tried with this call if the tool is well again. */
      readonly isProbe: boolean;
    }
  | {
      readonly ok: false;
      readonly failure: Failure;
      /** What the tool returned, where it returned an error of its own. */
      readonly value?: T;
      /** Attempts made; 0 where the call was refused. */
      readonly attempts: number;
      readonly isProbe: boolean;
      /** When to ask again, where that is known. */
      readonly retryAfterMs?: number;
      /** The circuit that refused it, where one did. */
      readonly refusal?: Refusal;
    };
