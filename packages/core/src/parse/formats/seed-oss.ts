import { FormatParser } from '../format-parser.ts';
import { functionBlockFormat } from '../xml/function-block.ts';
import { FunctionMarkup } from '../xml/function-markup.ts';

/** The template puts no line breaks around values: one at the end is part of the value. */
const MARKUP = new FunctionMarkup({
  tag: 'seed:tool_call',
  isOwnTag: true,
  padding: 'pair',
  untyped: 'literal',
});
const REASONING = { open: '<seed:think>', close: '</seed:think>' };

export const seedOss: FormatParser = new FormatParser({
  name: 'seed-oss',
  // A function without its block looks like any other; qwen3-coder reads it.
  formats: [{ ...functionBlockFormat(MARKUP), reasoning: [REASONING] }],
  sample:
    '<seed:tool_call>\n<function=read_file>\n<parameter=path>notes.md</parameter>\n</function>\n</seed:tool_call>',
  models: ['seed-oss', 'seed_oss'],
});
