import { readCallsWithArguments } from '../call-shape.ts';
import { FormatParser } from '../format-parser.ts';
import { BARE_CALLS } from '../readers/bare-calls.ts';
import { bareJsonFormats } from '../readers/bare-json-formats.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { endOfTurn } from '../script/end-of-turn.ts';

const PYTHON_TAG = '<|python_tag|>';
const ENDS_OF_TURN = ['<|eom_id|>', '<|eot_id|>', '<|end_of_text|>'];

export const llama3Json: FormatParser = new FormatParser({
  name: 'llama3-json',
  formats: [
    jsonFormat(PYTHON_TAG, {
      otherEndMarkers: ENDS_OF_TURN,
      nextOpening: PYTHON_TAG,
      shape: readCallsWithArguments,
    }),
    // Llama 4 puts JSON between the tags it was given for code.
    jsonFormat('<|python_start|>', {
      endMarker: '<|python_end|>',
      end: 'forgettable',
      shape: readCallsWithArguments,
    }),
    ...bareJsonFormats({ ...BARE_CALLS, bracket: '{' }),
    endOfTurn(...ENDS_OF_TURN),
  ],
  sample: '{"name": "read_file", "parameters": {"path": "notes.md"}}',
  models: ['llama-3', 'llama3', 'llama-4', 'llama4'],
});
