import { FormatParser } from '../format-parser.ts';
import { KeyValueMarkup } from '../key-value/key-value-markup.ts';
import { keyValueBlock } from '../key-value/read-key-value-block.ts';
import { scriptFormat } from '../script/script-format.ts';

const MARKUP = new KeyValueMarkup({
  begin: '<start_function_call>',
  end: '<end_function_call>',
  quote: '<escape>',
  // Where the answer of the tool would stand.
  noise: ['<start_function_response>'],
});

export const functionGemma: FormatParser = new FormatParser({
  name: 'functiongemma',
  formats: [scriptFormat([MARKUP.begin], keyValueBlock(MARKUP))],
  sample:
    '<start_function_call>call:read_file{path:<escape>notes.md<escape>,lines:20}<end_function_call>',
  models: ['functiongemma', 'function-gemma'],
});
