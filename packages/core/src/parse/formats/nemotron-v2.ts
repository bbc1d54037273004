import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';

export const nemotronV2: FormatParser = new FormatParser({
  name: 'nemotron-v2',
  formats: [
    jsonFormat('<TOOLCALL>', {
      endMarker: '</TOOLCALL>',
      end: 'forgettable',
      nextOpening: '<TOOLCALL>',
    }),
  ],
  sample: '<TOOLCALL>[{"name": "read_file", "arguments": {"path": "notes.md"}}]</TOOLCALL>',
  models: ['nemotron-nano-9b-v2', 'nemotron-nano-12b-v2', 'nemotron-nano-v2'],
});
