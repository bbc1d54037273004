import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readArgCall } from '../xml/arg-call.ts';
import { ArgMarkup, argTags } from '../xml/arg-markup.ts';

const MARKUP = new ArgMarkup(argTags((tag) => `longcat_${tag}`));

/** The calls of LongCat that are no JSON. */
export const longcatPairs: FormatParser = new FormatParser({
  name: 'longcat-pairs',
  formats: [scriptFormat([MARKUP.callBegin], (input) => readArgCall(input, MARKUP))],
  sample:
    '<longcat_tool_call>read_file\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>notes.md</longcat_arg_value>\n</longcat_tool_call>',
  models: ['longcat'],
});
