import { isRecord } from '../../advise/conversation/record.ts';
import type { WatchedAttempt } from '../../guard/attempt-watch.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';

/** What tells somebody else, and shows that the tool is at work. */
const TELLING = ['sendNotification', 'notify', 'log'];
/** What asks somebody else, who takes the time that people take. */
const ASKING = ['sendRequest', 'send', 'elicitInput', 'requestSampling'];

/** The signal of a call, where v1 (`extra.signal`) or v2 (`ctx.mcpReq.signal`) have it. */
export function signalIn(context: unknown): AbortSignal | undefined {
  const signal = homeOf(context)?.['signal'];
  return signal instanceof AbortSignal ? signal : undefined;
}

/** What a handler is told of a call, with a signal that also aborts when its time is up. */
export function watchedContext(context: unknown, attempt: WatchedAttempt): unknown {
  const home = homeOf(context);
  if (!isRecord(context) || home === undefined) return context;
  const watched = cloneWith(home, {
    ...wrapped(home, TELLING, (tell) => {
      attempt.touch();
      return tell();
    }),
    ...wrapped(home, ASKING, async (ask) => {
      const goOn = attempt.hold();
      try {
        return await ask();
      } finally {
        goOn();
      }
    }),
    signal: attempt.signal,
  });
  return home === context ? watched : cloneWith(context, { mcpReq: watched });
}

function homeOf(context: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(context)) return undefined;
  const { mcpReq } = context;
  return isRecord(mcpReq) ? mcpReq : context;
}

function wrapped(
  home: Readonly<Record<string, unknown>>,
  names: readonly string[],
  around: (run: () => unknown) => unknown,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const own = home[name];
      if (!isFunction(own)) return [];
      const call = (...args: readonly unknown[]): unknown =>
        around(() => callFunction(own, home, args));
      return [[name, call]];
    }),
  );
}
