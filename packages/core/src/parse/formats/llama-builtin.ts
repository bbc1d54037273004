import { FormatParser } from '../format-parser.ts';
import { pythonBlock } from '../pythonic/python-block.ts';
import { scriptFormat } from '../script/script-format.ts';

const BEGIN = '<|python_tag|>';
const METHOD = '.call';

export const llamaBuiltin: FormatParser = new FormatParser({
  name: 'llama-builtin',
  formats: [
    scriptFormat(
      [BEGIN],
      pythonBlock({
        begin: BEGIN,
        ends: ['<|eom_id|>', '<|eot_id|>'],
        isEndOptional: true,
        // Behind the same marker stands Python to be run: any other name may be one of its functions.
        toolOf: (written, { context }) => {
          if (written.endsWith(METHOD)) return written.slice(0, -METHOD.length);
          return context.tools?.resolve(written) === undefined ? undefined : written;
        },
      }),
    ),
  ],
  sample: '<|python_tag|>brave_search.call(query="tide tables")',
  models: ['llama-3.1', 'llama-3.3'],
});
