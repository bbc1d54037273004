import { isSpace } from '../json/char-code.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

/** Takes the white space that comes next and returns it. */
export function* takeSpace(input: ScriptInput): Script<string> {
  return yield* input.takeWhile(isSpace, Number.POSITIVE_INFINITY);
}
