import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';

/** `functools[…]`: a list behind a word. */
export const functools: FormatParser = new FormatParser({
  name: 'functools',
  formats: [jsonFormat({ text: 'functools[', at: 'line-start', bodyFrom: 'functools'.length }, {})],
  sample: 'functools[{"name": "read_file", "arguments": {"path": "notes.md"}}]',
  models: ['phi-4-mini', 'phi4-mini', 'firefunction'],
});
