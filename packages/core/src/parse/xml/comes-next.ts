import type { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** Whether one of `markers` comes next; it is left standing. */
export function* comesNext(input: ScriptInput, markers: MarkerSet): Script<boolean> {
  const before = input.offset;
  const isThere = (yield* input.takeAny(markers)) !== undefined;
  input.backTo(before);
  return isThere;
}
