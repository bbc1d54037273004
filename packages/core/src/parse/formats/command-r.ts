import { FormatParser } from '../format-parser.ts';
import type { FindHead } from '../readers/headed-reader.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markerHead } from '../readers/marker-head.ts';

const FENCE = markerHead('```');

/** A fence, with or without a language, behind the word. */
const findFence: FindHead = (text, from) => {
  const fence = FENCE(text, from);
  if (typeof fence === 'string') return fence;
  if (text.startsWith('json', fence)) return fence + 'json'.length;
  return 'json'.startsWith(text.slice(fence)) ? 'unclear' : fence;
};

/** `Action:` and a list of calls in a fence. */
export const commandR: FormatParser = new FormatParser({
  name: 'command-r',
  formats: [jsonFormat({ text: 'Action:', at: 'line-start' }, { endMarker: '```' }, findFence)],
  sample: 'Action:\n```json\n[{"tool_name": "read_file", "parameters": {"path": "notes.md"}}]\n```',
  models: ['command-r'],
});
