import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { declinesJsonBody, JsonBodyReader } from '../readers/json-body-reader.ts';

const END = '<|action_end|>';

/** An action for a plugin, with or without space between the markers. One for the interpreter is code. */
const action: Format = {
  openings: ['', ' ', '\n'].map((gap) => ({ text: `<|action_start|>${gap}<|plugin|>` })),
  declines: (text, bodyAt) => declinesJsonBody(text, bodyAt, END),
  createReader: (_opening, context) =>
    new JsonBodyReader({ endMarker: END, nextOpening: '<|action_start|>' }, context),
};

export const internLm: FormatParser = new FormatParser({
  name: 'internlm',
  formats: [action],
  sample:
    '<|action_start|><|plugin|>\n{"name": "read_file", "parameters": {"path": "notes.md"}}<|action_end|>',
  models: ['internlm', 'intern-s1', 'interns1'],
});
