import { FormatParser } from '../format-parser.ts';
import { pythonBlock } from '../pythonic/python-block.ts';
import { scriptFormat } from '../script/script-format.ts';

const BEGIN = '<function_calls>';

export const olmo3: FormatParser = new FormatParser({
  name: 'olmo3',
  formats: [scriptFormat([BEGIN], pythonBlock({ begin: BEGIN, ends: ['</function_calls>'] }))],
  sample: '<function_calls>read_file(path="notes.md", lines=20)</function_calls>',
  models: ['olmo-3', 'olmo3'],
});
