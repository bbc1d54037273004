import { FormatParser } from '../format-parser.ts';
import { bareFunctionFormat, functionBlockFormat } from '../xml/function-block.ts';
import { FunctionMarkup } from '../xml/function-markup.ts';

/** The template writes every value on lines of its own, and strings like anything else. */
const MARKUP = new FunctionMarkup({
  tag: 'tool_call',
  isOwnTag: false,
  padding: 'each',
  untyped: 'text',
});

export const qwen3Coder: FormatParser = new FormatParser({
  name: 'qwen3-coder',
  formats: [functionBlockFormat(MARKUP), bareFunctionFormat(MARKUP)],
  sample:
    '<tool_call>\n<function=read_file>\n<parameter=path>\nnotes.md\n</parameter>\n</function>\n</tool_call>',
  models: [
    'qwen3-coder',
    'qwen3_coder',
    'qwen3.5',
    'qwen3.6',
    'qwen3.7',
    'qwen3.8',
    'nemotron-3',
    'step-3.5',
    'mimo',
    'k-exaone-2',
    'ui-tars',
    'berrylm',
    'kolibri-1',
    'iquest-coder',
    'intern-s2',
    'interns2',
  ],
});
