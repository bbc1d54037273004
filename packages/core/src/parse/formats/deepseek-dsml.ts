import { FormatParser } from '../format-parser.ts';
import { scriptFormat } from '../script/script-format.ts';
import { readInvokeBlock, readLoneInvokes } from '../xml/invoke-block.ts';
import type { InvokeDialect } from '../xml/invoke-dialect.ts';
import { InvokeTags } from '../xml/invoke-tags.ts';
import { readingByType, readingOfJson, readingOfString } from '../xml/parameter-reading.ts';

/** The bar of the special token, and the one that proxies make of it. */
const MARKS = ['｜DSML｜', '|DSML|'];
/** V3.2 writes the first, V4 the second. */
const WRAPPERS = MARKS.flatMap((mark) => [`${mark}function_calls`, `${mark}tool_calls`]);
const INVOKES = MARKS.map((mark) => `${mark}invoke`);

const dialect: InvokeDialect = {
  tags: new InvokeTags({
    wrapper: WRAPPERS,
    invoke: INVOKES,
    parameter: MARKS.map((mark) => `${mark}parameter`),
    // V4 leaves the token out of closing tags now and then.
    otherInvokeCloses: ['</invoke>'],
    otherWrapperCloses: ['</tool_calls>', '</function_calls>'],
  }),
  reading: (context, tool, key, attributes) => {
    const isString = attributes.get('string');
    if (isString === 'true') return readingOfString(context, tool, key);
    return (isString === 'false' ? readingOfJson : readingByType)(context, tool, key);
  },
};

/** `<｜DSML｜invoke name="f">` with parameters that say whether they are strings: DeepSeek V3.2 and V4. */
export const deepseekDsml: FormatParser = new FormatParser({
  name: 'deepseek-dsml',
  formats: [
    scriptFormat(
      WRAPPERS.map((name) => `<${name}>`),
      (input) => readInvokeBlock(input, dialect),
    ),
    // Some answers leave the tag around the calls out.
    scriptFormat(
      INVOKES.map((name) => `<${name}`),
      (input, opening) => readLoneInvokes(input, dialect, opening.text),
    ),
  ],
  sample:
    '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">notes.md</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  models: ['deepseek-v3.2', 'deepseek-v4', 'deepseek_v32', 'deepseek_v4'],
});
