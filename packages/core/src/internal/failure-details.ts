import { firstIn, readKey } from './error-layers.ts';
import { codesOf, isShortText, statusOf } from './error-signals.ts';
import type { Failure, FailureClass } from './failure-class.ts';
import { signOfCode } from './failure-codes.ts';
import { retryAfterIn } from './retry-after.ts';

/** The class of a failure with the wait, the status and the code that came with it. */
export function detailsOf(
  failureClass: FailureClass,
  layers: readonly unknown[],
  wallTime: number | undefined,
): Pick<Failure, 'class' | 'retryAfterMs' | 'status' | 'code'> {
  const retryAfterMs = retryAfterIn(layers, failureClass === 'rate-limited', wallTime);
  const status = firstIn(layers, statusOf);
  const code = firstIn(layers, knownCode) ?? firstIn(layers, anyCode);
  return {
    class: failureClass,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
  };
}

/** `fetch failed` has no code and its cause has: a code that says something is the one to tell. */
function knownCode(layer: unknown): string | undefined {
  return codesOf(layer).find((code) => signOfCode(code) !== undefined);
}

function anyCode(layer: unknown): string | undefined {
  const code = readKey(layer, 'code');
  return isShortText(code) ? code : undefined;
}
