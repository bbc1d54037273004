import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markupTokens } from '../script/markup-tokens.ts';

const FUNCTION_CALL = '<function_call>';

export const granite: FormatParser = new FormatParser({
  name: 'granite',
  formats: [
    // Granite 3 ends a list with nothing.
    jsonFormat('<|tool_call|>', { nextOpening: '<|tool_call|>' }),
    // The 20B model for function calling writes each call behind a marker of its own.
    jsonFormat(FUNCTION_CALL, {
      endMarker: '</function_call>',
      end: 'optional',
      nextOpening: FUNCTION_CALL,
    }),
    // Behind its thoughts the answer stands in tags of its own.
    { ...markupTokens(['<response>']), openings: [{ text: '<response>', at: 'text-start' }] },
    markupTokens(['</response>'], 'granite'),
  ],
  sample: '<|tool_call|>[{"name": "read_file", "arguments": {"path": "notes.md"}}]',
  models: ['granite-3', 'granite-20b'],
});
