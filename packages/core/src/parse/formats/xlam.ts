import { FormatParser } from '../format-parser.ts';
import { BARE_CALLS } from '../readers/bare-calls.ts';
import { bareJsonFormats } from '../readers/bare-json-formats.ts';

/** A list of calls with nothing around it but, at most, a fence. A forced choice of tools makes other models write it too. */
export const xlam: FormatParser = new FormatParser({
  name: 'xlam',
  formats: bareJsonFormats({ ...BARE_CALLS, bracket: '[' }),
  sample: '[{"name": "read_file", "arguments": {"path": "notes.md"}}]',
  models: ['xlam'],
});
