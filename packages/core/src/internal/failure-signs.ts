import { firstIn, readKey } from './error-layers.ts';
import { codesOf, messageStart, nameOf, statusOf } from './error-signals.ts';
import { classOfStatus, signOfCode, signOfName } from './failure-codes.ts';
import type { FailureSign } from './failure-codes.ts';
import { RATE_LIMIT, signOfCalling, signOfMessage, TIMEOUT } from './failure-wording.ts';
import { hasRateLimitHeader } from './retry-after.ts';

/** What status, codes and names say, the outermost layer first; undefined where none of them says anything. */
export function signOfStructure(layers: readonly unknown[]): FailureSign | undefined {
  let abort: FailureSign | undefined;
  for (const layer of layers) {
    if (typeof layer === 'string') continue;
    const sign = signOfLayer(layer, layers);
    // An abort is the way it ended; why is often one layer further in.
    if (sign === 'abort') abort = sign;
    else if (sign !== undefined) return sign;
  }
  return abort;
}

/** What the words of an error say, the outermost layer first. Asked where its structure says nothing. */
export function signOfMessages(layers: readonly unknown[]): FailureSign | undefined {
  return firstIn(layers, (layer) => {
    const message = messageStart(layer);
    return message === undefined ? undefined : signOfMessage(message);
  });
}

function signOfLayer(layer: unknown, layers: readonly unknown[]): FailureSign | undefined {
  const status = statusOf(layer);
  if (status === 403) return layers.some(speaksOfRateLimit) ? 'rate-limited' : 'auth';
  if (status !== undefined && status !== 400) return classOfStatus(status);
  // With a status of 400 some services say everything: throttled, denied, not found.
  return (
    signOfCodes(layer) ??
    signOfNameOf(layer) ??
    (status && classOfStatus(status)) ??
    (wasProcessTimedOut(layer) ? 'timeout' : undefined)
  );
}

function speaksOfRateLimit(layer: unknown): boolean {
  return (
    RATE_LIMIT.test(messageStart(layer) ?? '') ||
    hasRateLimitHeader(layer) ||
    signOfCodes(layer) === 'rate-limited'
  );
}

function signOfCodes(layer: unknown): FailureSign | undefined {
  for (const code of codesOf(layer)) {
    const sign = signOfCode(code);
    if (sign !== undefined) return refined(sign, code, messageStart(layer));
  }
  return undefined;
}

/** Two codes have two meanings, and the message says which. */
function refined(sign: FailureSign, code: string, message = ''): FailureSign {
  // axios has this one for its timeouts too.
  if (code === 'ECONNABORTED' && TIMEOUT.test(message)) return 'timeout';
  // Servers say "invalid params" too when their own output does not fit.
  if (code === '-32602') return signOfCalling(message) ?? sign;
  return sign;
}

function signOfNameOf(layer: unknown): FailureSign | undefined {
  const name = nameOf(layer);
  return name === undefined ? undefined : signOfName(name);
}

/** As execa says it, and as `exec` of Node does: only its own timeout ends a process so. */
function wasProcessTimedOut(layer: unknown): boolean {
  if (readKey(layer, 'timedOut') === true) return true;
  return readKey(layer, 'killed') === true && readKey(layer, 'signal') === 'SIGTERM';
}
