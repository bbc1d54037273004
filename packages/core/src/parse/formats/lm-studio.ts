import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';

/** What LM Studio asks of models that have no tool format of their own. */
export const lmStudio: FormatParser = new FormatParser({
  name: 'lm-studio',
  formats: [
    jsonFormat('[TOOL_REQUEST]', {
      endMarker: '[END_TOOL_REQUEST]',
      nextOpening: '[TOOL_REQUEST]',
    }),
  ],
  sample:
    '[TOOL_REQUEST]{"name": "read_file", "arguments": {"path": "notes.md"}}[END_TOOL_REQUEST]',
});
