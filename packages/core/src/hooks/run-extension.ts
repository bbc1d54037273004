import type { Clock } from '../internal/clock.ts';
import type { HookEvent, HookEventListener } from './hook-event.ts';
import type { HookPoint } from './hook-point.ts';

/** What every extension of a registry runs under. */
export interface HookEnvironment {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly onEvent: HookEventListener | undefined;
}

/** Which extension runs, and for what. */
export interface ExtensionPlace {
  readonly point: HookPoint;
  readonly extension: string;
  readonly toolName: string;
}

/**
 * Runs one extension, reads what it replied, and waits for both up to the time allowed. Gives undefined when
 * that went wrong: it was reported, and the others go on. What comes later than allowed is dropped.
 */
export async function runExtension<T>(
  run: () => unknown,
  read: (reply: unknown) => T,
  place: ExtensionPlace,
  environment: HookEnvironment,
): Promise<T | undefined> {
  try {
    const reply = run();
    // Most extensions have nothing to wait for; they need no timer.
    if (!isPromise(reply)) return read(reply);
    const settled = await withinTime(reply, environment);
    if (settled !== TIMED_OUT) return read(settled);
    const { timeoutMs } = environment;
    report(environment, { type: 'extension-timed-out', ...place, timeoutMs });
  } catch (error) {
    report(environment, { type: 'extension-failed', ...place, error });
  }
  return undefined;
}

const TIMED_OUT = Symbol('timed out');

function withinTime(
  reply: PromiseLike<unknown>,
  { clock, timeoutMs }: HookEnvironment,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const cancel =
      timeoutMs === Infinity ? undefined : clock.setTimer(() => resolve(TIMED_OUT), timeoutMs);
    reply.then(
      (value) => {
        cancel?.();
        resolve(value);
      },
      (error: unknown) => {
        cancel?.();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what an extension rejects with is reported as it is
        reject(error);
      },
    );
  });
}

function report({ onEvent }: HookEnvironment, event: HookEvent): void {
  try {
    onEvent?.(event);
  } catch {
    // The one who watches has failed, not the call.
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  );
}
