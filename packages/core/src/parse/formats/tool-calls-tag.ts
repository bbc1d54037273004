import { readGoodCalls } from '../call-shape.ts';
import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markupTokens } from '../script/markup-tokens.ts';

/** `<tool_calls>` around a list, or around one object a line. */
export const toolCallsTag: FormatParser = new FormatParser({
  name: 'tool-calls-tag',
  formats: [
    {
      ...jsonFormat('<tool_calls>', {
        endMarker: '</tool_calls>',
        end: 'forgettable',
        nextOpening: '<tool_calls>',
        shape: readGoodCalls,
        passesOver: true,
      }),
      // Apriel thinks first, and says where its answer begins.
      reasoning: [{ open: 'Here are my reasoning steps:', close: '[BEGIN FINAL RESPONSE]' }],
    },
    markupTokens(['[END FINAL RESPONSE]']),
  ],
  sample: '<tool_calls>[{"name": "read_file", "arguments": {"path": "notes.md"}}]</tool_calls>',
  models: ['jamba', 'hunyuan-a13b', 'apriel', 'minimax-m1'],
});
