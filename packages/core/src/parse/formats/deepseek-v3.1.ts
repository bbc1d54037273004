import { FormatParser } from '../format-parser.ts';
import { deepSeekFormats } from './deepseek-section.ts';
import { readDeepSeekArguments } from './read-deepseek-arguments.ts';

const NAME = 'deepseek-v3.1';

export const deepSeekV31: FormatParser = new FormatParser({
  name: NAME,
  // `NAME<｜tool▁sep｜>{…}`: the word is the name.
  formats: deepSeekFormats(NAME, readDeepSeekArguments, true),
  sample:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"path": "notes.md"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  models: ['deepseek-v3.1', 'deepseek_v3.1', 'deepseek-v31'],
});
