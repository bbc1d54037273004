import type { CoercionNote } from '../internal/schema-coercion.ts';
import { showJson, showPath } from '../internal/schema-problem.ts';
import type { CheckRepair } from './check-result.ts';

/** Says what was changed, and where. */
export function describeRepair({ repair, path, from, to }: CoercionNote): CheckRepair {
  const where = path.length === 0 ? 'the value' : showPath(path);
  const isName = repair === 'argument-name' && typeof from === 'string';
  return {
    repair,
    path,
    message: isName ? `${from} is ${where}` : `${where}: ${showJson(from)} is ${showJson(to)}`,
  };
}
