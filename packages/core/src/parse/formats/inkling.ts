import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { inklingFrames } from './inkling-frames.ts';
import { declinesJsonBody, JsonBodyReader } from '../readers/json-body-reader.ts';

const OPENING = '<|content_invoke_tool_json|>';
const END = '<|end_message|>';

/** A message whose content is a call. */
const message: Format = {
  openings: [{ text: OPENING }],
  declines: (text, bodyAt) => declinesJsonBody(text, bodyAt, END),
  createReader: (_opening, context) =>
    new JsonBodyReader(
      {
        endMarker: END,
        otherEndMarkers: ['<|content_model_end_sampling|>'],
        nextOpening: OPENING,
      },
      context,
    ),
};

export const inkling: FormatParser = new FormatParser({
  name: 'inkling',
  formats: [message, ...inklingFrames],
  sample:
    '<|content_invoke_tool_json|>{"name": "read_file", "args": {"path": "notes.md"}}<|end_message|>',
  models: ['inkling'],
});
