import { isWord } from '../json/char-code.ts';
import type { Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/** Takes the beginning of a code fence and its language, if one comes next. */
export function* skipFence(input: ScriptInput): Script<boolean> {
  if (!(yield* input.take('```'))) return false;
  yield* input.takeWhile(isWord, LONGEST_LANGUAGE);
  return true;
}

const LONGEST_LANGUAGE = 16;
