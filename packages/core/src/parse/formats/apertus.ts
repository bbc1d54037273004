import type { JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import type { RawCall } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { jsonFormat } from '../readers/json-format.ts';
import { markupTokens } from '../script/markup-tokens.ts';

/** `{"read_file": {"path": "notes.md"}}`: the key is the name of the tool. */
function readNamedByKey(value: JsonValue): readonly RawCall[] | string {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  if (items.length === 0) return 'the list of calls is empty';
  const calls: RawCall[] = [];
  for (const item of items) {
    if (!isNamedByKey(item)) return 'expected an object with the name of a tool as its only key';
    for (const [name, args] of Object.entries(item)) {
      if (!isJsonObject(args)) return `expected the arguments of ${name} to be an object`;
      calls.push({ name, arguments: args, repairs: [], complete: true, lossy: false });
    }
  }
  return calls;
}

function isNamedByKey(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return isJsonObject(value) && Object.keys(value).length === 1 && !('' in value);
}

export const apertus: FormatParser = new FormatParser({
  name: 'apertus',
  formats: [
    {
      ...jsonFormat('<|tools_prefix|>', {
        endMarker: '<|tools_suffix|>',
        end: 'forgettable',
        shape: readNamedByKey,
        isWhole: isNamedByKey,
        // An argument called `arguments` would be told as those of the call.
        tellsEarly: false,
      }),
      reasoning: [{ open: '<|inner_prefix|>', close: '<|inner_suffix|>' }],
    },
    // Behind a call that something else than its end follows.
    markupTokens(['<|tools_suffix|>'], 'apertus'),
  ],
  sample: '<|tools_prefix|>[{"read_file": {"path": "notes.md"}}]<|tools_suffix|>',
  models: ['apertus'],
});
