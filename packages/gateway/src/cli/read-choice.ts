import type { Arguments } from './command.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';

/** The value of an option that takes one of a few words; undefined when it was not given. */
export function readChoice<Word extends string>(
  { values }: Arguments,
  option: string,
  words: readonly Word[],
): Word | undefined {
  const written = values.get(option);
  return written === undefined ? undefined : checkChoice(`--${option}`, written, words);
}

/** The word that was written for `name`, if it is one of a few. */
export function checkChoice<Word extends string>(
  name: string,
  written: string,
  words: readonly Word[],
): Word {
  const found = words.find((word) => word === written);
  if (found !== undefined) return found;
  const expected = [words.slice(0, -1).join(', '), words.at(-1)].join(' or ');
  const suggestion = didYouMean(written, words);
  throw new Misuse(`${name}: expected ${expected}, got "${written}"${suggestion}`);
}
