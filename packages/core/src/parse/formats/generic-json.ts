import type { JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { readCallsWithArguments, withLateIds } from '../call-shape.ts';
import type { RawCall } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { bareJsonFormats } from '../readers/bare-json-formats.ts';

/** Only `tool_call` and `tool_calls` hold calls; what stands beside them says nothing. */
function readEnvelope(
  value: JsonValue,
  maxDepth: number,
  isCut: boolean,
): readonly RawCall[] | string {
  if (!isJsonObject(value)) return 'it is JSON, but no call';
  const held = value['tool_call'] ?? value['tool_calls'];
  if (held === undefined) return 'it is JSON, but no call';
  const calls = readCallsWithArguments(held, maxDepth, isCut);
  const items = Array.isArray(held) ? (held as readonly JsonValue[]) : [held];
  return typeof calls === 'string' ? calls : withLateIds(calls, items);
}

/** What a model is made to write that knows no format of its own: every answer is an object. */
export const genericJson: FormatParser = new FormatParser({
  name: 'generic-json',
  formats: bareJsonFormats({
    bracket: '{',
    firstKeys: new Set(['tool_call', 'tool_calls']),
    // The id stands behind the arguments, and a call that was told has one.
    options: () => ({ shape: readEnvelope, tellsEarly: false }),
  }),
  sample: '{"tool_call": {"name": "read_file", "arguments": {"path": "notes.md"}}}',
});
