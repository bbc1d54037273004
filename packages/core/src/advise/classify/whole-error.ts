import { anchoredErrorKind, followsError } from './error-line.ts';
import type { ErrorLine } from './error-line.ts';

/**
 * What an output is that is an error from its first line to its last: what follows the first belongs to it,
 * or comes from the same program. Undefined when something else is in it.
 */
export function wholeErrorKind(all: readonly string[]): ErrorLine {
  const [first = '', ...rest] = all;
  const kind = anchoredErrorKind(first);
  if (kind === undefined) return undefined;
  const program = /^[\w./-]{1,40}: /.exec(first)?.[0];
  const belongs = (line: string): boolean =>
    followsError(line) || (program !== undefined && line.startsWith(program));
  return rest.every(belongs) ? kind : undefined;
}
