import { firstIn, isObject, readKey } from './error-layers.ts';
import { codesOf, isShortText, statusOf } from './error-signals.ts';
import type { Failure, FailureClass } from './failure-class.ts';
import { signOfCode } from './failure-codes.ts';
import { retryAfterIn } from './retry-after.ts';

type Draft = { -readonly [Key in keyof Failure]: Failure[Key] };

/** A failure of that class, with the status, the code and the wait that came with it. */
export function makeFailure(
  failureClass: FailureClass,
  message: string,
  layers: readonly unknown[],
  wallTime: number | undefined,
): Failure {
  const failure: Draft = { class: failureClass, message, cause: layers[0] };
  const retryAfterMs = retryAfterIn(layers, failureClass === 'rate-limited', wallTime);
  if (retryAfterMs !== undefined) failure.retryAfterMs = retryAfterMs;
  const status = firstIn(layers, statusOf);
  if (status !== undefined) failure.status = status;
  const code = firstIn(layers, knownCode) ?? firstIn(layers, anyCode);
  if (code !== undefined) failure.code = code;
  const incident = firstIn(layers, incidentOf);
  if (incident !== undefined) failure.incident = incident;
  return failure;
}

/** `fetch failed` has no code and its cause has: a code that says something is the one to tell. */
function knownCode(layer: unknown): string | undefined {
  return codesOf(layer).find((code) => signOfCode(code) !== undefined);
}

function incidentOf(layer: unknown): object | undefined {
  const incident = readKey(layer, 'incident');
  return isObject(incident) ? incident : undefined;
}

function anyCode(layer: unknown): string | undefined {
  const code = readKey(layer, 'code');
  return isShortText(code) ? code : undefined;
}
