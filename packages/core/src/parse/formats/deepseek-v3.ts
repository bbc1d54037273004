import { FormatParser } from '../format-parser.ts';
import { NEWLINE } from '../json/char-code.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { deepSeekFormats } from './deepseek-section.ts';
import { readDeepSeekArguments } from './read-deepseek-arguments.ts';

const NAME = 'deepseek-v3';
const LONGEST_NAME = 128;

/** `function<｜tool▁sep｜>NAME`, a line of its own, then JSON in a code fence. */
function* readRest(
  input: ScriptInput,
  _type: string,
  separator: string,
): Script<Declined | undefined> {
  const name = (yield* input.takeWhile((code) => code !== NEWLINE, LONGEST_NAME)).trim();
  if (!/^\w[\w./:-]*$/.test(name)) return input.stop('no name of a tool follows');
  if (yield* input.isAtEnd()) return input.cutShort();
  if (!(yield* input.startsWith('\n'))) return input.stop('no name of a tool follows');
  return yield* readDeepSeekArguments(input, name, separator);
}

export const deepSeekV3: FormatParser = new FormatParser({
  name: NAME,
  formats: deepSeekFormats(NAME, readRest, false),
  sample:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"path": "notes.md"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  models: ['deepseek', 'cogito'],
});
