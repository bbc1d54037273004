import { CircuitOpenError, ToolTimeoutError } from '../errors.ts';
import { readReturned, readThrown } from '../internal/read-failure.ts';
import { Bulkhead } from './bulkhead.ts';
import type { BulkheadOptions } from './bulkhead.ts';
import type { CircuitBreaker } from './breaker/circuit-breaker.ts';
import { CircuitGate } from './circuit-gate.ts';
import { checkFallback, withFallback } from './fallback.ts';
import type { Fallback } from './fallback.ts';
import { resolveEnvironment } from './guard-environment.ts';
import type { GuardEnvironment } from './guard-environment.ts';
import type { LastGood } from './last-good.ts';
import type { Policy } from './policy.ts';
import { resolveRetryOptions } from './retry-options.ts';
import type { RetryOptions } from './retry-options.ts';
import { withRetry } from './retry.ts';
import { checkTimeout, withTimeout } from './timeout.ts';

/** Ends the call after `timeoutMs`, with everything inside of it. */
export function timeout(timeoutMs: number, environment: GuardEnvironment = {}): Policy {
  checkTimeout(timeoutMs);
  const { clock } = resolveEnvironment(environment);
  return (work, context = {}) => {
    const { name, signal: outer } = context;
    const label = name === undefined ? 'timeout' : `${name}:timeout`;
    const deadlineAt = Math.min(clock.now() + timeoutMs, context.deadlineAt ?? Infinity);
    return withTimeout(
      (timed) =>
        work({
          ...context,
          deadlineAt,
          // Not made before it is looked at.
          get signal() {
            return timed.signal;
          },
        }),
      timeoutMs,
      label,
      {
        ...environment,
        signal: outer,
      },
    );
  };
}

/** Makes the call again while its failures may pass, with everything inside of it. */
export function retry(options: RetryOptions = {}, environment: GuardEnvironment = {}): Policy {
  const settings = resolveRetryOptions(options);
  return (work, context = {}) =>
    withRetry(({ attempt }) => work({ ...context, attempt }), settings, {
      ...environment,
      ...context,
      tool: context.name,
    });
}

/**
 * Refuses the call with `CircuitOpenError` while the circuit is open. A timeout further out counts as one at once,
 * whether or not the work heeds its signal; retries further in end when the circuit opens, and a probe gets none.
 */
export function circuit(breaker: CircuitBreaker, environment: GuardEnvironment = {}): Policy {
  const { clock } = resolveEnvironment(environment);
  return async (work, context = {}) => {
    const { signal } = context;
    signal?.throwIfAborted();
    const permit = breaker.acquire();
    if ('isRefused' in permit)
      throw new CircuitOpenError(breaker.name, permit.retryAfterMs, permit.reason);
    const onAbort = (): void => {
      const reason: unknown = signal?.reason;
      const isCaller = !(reason instanceof ToolTimeoutError);
      breaker.settle(permit, readThrown(reason, isCaller ? signal : undefined));
    };
    signal?.addEventListener('abort', onAbort);
    try {
      const gate = new CircuitGate(breaker, permit, context.gate);
      const value = await work({ ...context, gate });
      breaker.settle(permit, readReturned(value));
      return value;
    } catch (error) {
      breaker.settle(permit, readThrown(error, signal, clock.wallTime()));
      throw error;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  };
}

/** Lets so many calls in at a time. Give a `Bulkhead` to share its places with others. */
export function bulkhead(options: BulkheadOptions | Bulkhead): Policy {
  const places = options instanceof Bulkhead ? options : new Bulkhead(options);
  return (work, context = {}) => places.run(() => work(context), context);
}

/** Gives something else where the call fails. `lastGood` needs `context.key`, which says what a call asks for. */
export function fallback(instead: { readonly lastGood: LastGood }): Policy;
export function fallback<Instead>(
  instead: Exclude<Fallback<Instead>, { lastGood: unknown }>,
): Policy<Instead>;
export function fallback(instead: Fallback<unknown>): Policy<unknown> {
  checkFallback(instead);
  return (work, context = {}) => withFallback<unknown>(() => work(context), instead, context);
}
