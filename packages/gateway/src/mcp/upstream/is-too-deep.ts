import { MAX_DEPTH } from '../../proxy/json/json-meter.ts';

/**
 * Whether an answer is nested deeper than messages may be. Lines of processes are looked at before they are parsed;
 * what came over HTTP is parsed by then, and whoever writes it as JSON again would run out of stack.
 */
export function isTooDeep(answer: unknown): boolean {
  let level = isBranch(answer) ? [answer] : [];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((branch) => Object.values(branch).filter(isBranch));
  }
  return false;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
