import { FormatParser } from '../format-parser.ts';
import { markedInvokeFormats } from '../xml/marked-invokes.ts';

/** `<｜DSML｜invoke name="f">` with parameters that say whether they are strings: DeepSeek V3.2 to V4.1. */
export const deepseekDsml: FormatParser = new FormatParser({
  name: 'deepseek-dsml',
  formats: markedInvokeFormats({
    // The bar of the special token, and the one that proxies make of it. V4.1 writes a space after the token.
    marks: ['｜DSML｜', '|DSML|', '｜DSML｜ ', '|DSML| '],
    // V3.2 writes the first, V4 the second, V4.1 the third.
    wrappers: ['function_calls', 'tool_calls', 'calls'],
  }),
  sample:
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">notes.md</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  models: ['deepseek-v3.2', 'deepseek-v4', 'deepseek_v32', 'deepseek_v4'],
});
