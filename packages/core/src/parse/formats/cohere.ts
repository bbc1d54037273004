import { readGoodCalls } from '../call-shape.ts';
import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { cohereCitations } from './cohere-citations.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { markupTokens } from '../script/markup-tokens.ts';

const OPENING = '<|START_ACTION|>';

export const cohere: FormatParser = new FormatParser({
  name: 'cohere',
  formats: [
    {
      ...jsonFormat(OPENING, {
        endMarker: '<|END_ACTION|>',
        otherEndMarkers: ['<|END_OF_TURN_TOKEN|>'],
        end: 'forgettable',
        nextOpening: OPENING,
        shape: readGoodCalls,
        passesOver: true,
      }),
      reasoning: [{ open: '<|START_THINKING|>', close: '<|END_THINKING|>' }],
    },
    markupTokens([
      '<|END_THINKING|>',
      '<|START_RESPONSE|>',
      '<|END_RESPONSE|>',
      '<|START_TEXT|>',
      '<|END_TEXT|>',
      '<|CHATBOT_TOKEN|>',
    ]),
    endOfTurn('<|END_OF_TURN_TOKEN|>'),
    ...cohereCitations,
  ],
  sample:
    '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "read_file", "parameters": {"path": "notes.md"}}]<|END_ACTION|>',
  models: ['command-a', 'command-r7b', 'c4ai-command-a', 'cohere'],
});
