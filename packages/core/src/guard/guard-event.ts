import type { TransitionReason } from '../internal/circuit-machine.ts';
import type { Failure } from '../internal/failure-class.ts';

/** What happens while calls are guarded. The library writes nothing itself; `formatGuardEvent` makes lines of these. */
export type GuardEvent =
  | {
      readonly type: 'circuit-opened';
      readonly circuit: string;
      readonly from: 'closed' | 'half-open' | 'open';
      readonly reason: TransitionReason;
      /** Failures in a row, or in the window where their share opened it. */
      readonly failures: number;
      readonly openForMs: number;
      /** The replica whose word it followed, where it was the fleet that opened. */
      readonly replica?: string;
    }
  | { readonly type: 'circuit-half-opened'; readonly circuit: string }
  | {
      readonly type: 'circuit-closed';
      readonly circuit: string;
      readonly reason: TransitionReason;
      /** The replica whose word it followed, where it was the fleet that closed. */
      readonly replica?: string;
    }
  | {
      readonly type: 'circuit-refused';
      readonly circuit: string;
      readonly retryAfterMs: number;
      /** In shadow mode the call ran all the same. */
      readonly isShadow: boolean;
      /** Why, where it is not the state: the store of the fleet is away, and the circuit takes no calls then. */
      readonly reason?: 'store-lost';
    }
  | {
      /** The store of a fleet does not answer: every circuit does what its `onStoreLoss` says. */
      readonly type: 'store-degraded';
      /** This process, as the fleet knows it. */
      readonly replica: string;
      readonly reason: 'timeout' | 'error';
      /** What the store said, without secrets. */
      readonly message: string;
    }
  | { readonly type: 'store-recovered'; readonly replica: string }
  | { readonly type: 'circuits-removed'; readonly circuits: readonly string[] }
  | {
      readonly type: 'retry-scheduled';
      /** The tool, or what else names the work. */
      readonly name: string;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      /** Attempts in all. */
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly failure: Failure;
    }
  | {
      readonly type: 'retry-abandoned';
      readonly name: string;
      readonly attempt: number;
      /** What spoke against another attempt: `probe` for a circuit that tries single calls. */
      readonly reason:
        | 'budget'
        | 'deadline'
        | 'retry-after'
        | 'circuit-open'
        | 'probe'
        | 'not-idempotent'
        | 'aborted';
      readonly failure: Failure;
    }
  | { readonly type: 'call-timed-out'; readonly name: string; readonly timeoutMs: number };

/** Is told what happens around calls. */
export type GuardEventListener = (event: GuardEvent) => void;
