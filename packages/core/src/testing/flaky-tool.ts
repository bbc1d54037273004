import type { Clock } from '../internal/clock.ts';
import { createFaults } from './create-faults.ts';
import type { FaultOptions, Faults } from './create-faults.ts';

/**
 * The tool, with faults: in a test, the tool an agent will meet one day. A signal is looked for in the arguments
 * (an `AbortSignal`, or an object with a `signal`), and ends whatever is waited for.
 */
export function flakyTool<Args extends readonly unknown[], T>(
  tool: (...args: Args) => T | Promise<T>,
  faults: Faults | FaultOptions,
): (...args: Args) => Promise<T> {
  const source = 'dealt' in faults ? faults : createFaults(faults);
  return async (...args) => {
    const fault = source.next();
    switch (fault.kind) {
      case 'ok':
        return tool(...args);
      case 'error':
        throw fault.error;
      case 'lost-answer':
        await tool(...args);
        throw fault.error;
      case 'latency':
        await wait(fault.latencyMs, source.clock, signalIn(args));
        return tool(...args);
      case 'hang':
        return wait(Infinity, source.clock, signalIn(args)) as Promise<never>;
      case 'is-error':
      case 'malformed':
        // What comes back is no T: that is the fault.
        return fault.result as T;
    }
  };
}

function signalIn(args: readonly unknown[]): AbortSignal | undefined {
  for (const arg of args) {
    if (arg instanceof AbortSignal) return arg;
    if (typeof arg !== 'object' || arg === null || !('signal' in arg)) continue;
    const { signal } = arg;
    if (signal instanceof AbortSignal) return signal;
  }
  return undefined;
}

/** Until the time is over, or the signal says to stop. For ever sets no timer. */
function wait(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const stop = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = ms === Infinity ? () => undefined : clock.setTimer(done, ms);
    signal?.addEventListener('abort', stop, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
  });
}
