import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';

const OPENING = '<longcat_tool_call>';

export const longcat: FormatParser = new FormatParser({
  name: 'longcat',
  formats: [
    {
      ...jsonFormat(OPENING, {
        endMarker: '</longcat_tool_call>',
        end: 'forgettable',
        nextOpening: OPENING,
      }),
      reasoning: [{ open: '<longcat_think>', close: '</longcat_think>' }],
    },
  ],
  sample:
    '<longcat_tool_call>{"name": "read_file", "arguments": {"path": "notes.md"}}</longcat_tool_call>',
  models: ['longcat'],
});
