import { readCallsWithArguments } from '../call-shape.ts';
import { FormatParser } from '../format-parser.ts';
import type { JsonBodyOptions } from '../readers/json-body-options.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markerHead } from '../readers/marker-head.ts';

const BODY: JsonBodyOptions = {
  endMarker: '</s>',
  end: 'optional',
  shape: readCallsWithArguments,
};

export const gigachat: FormatParser = new FormatParser({
  name: 'gigachat',
  formats: [
    jsonFormat('<|function_call|>', BODY),
    // GigaChat 3 begins a new message for the call.
    jsonFormat('<|message_sep|>', BODY, markerHead('function call', '<|role_sep|>')),
  ],
  sample: '<|function_call|>{"name": "read_file", "arguments": {"path": "notes.md"}}',
  models: ['gigachat'],
});
