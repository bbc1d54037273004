import { FormatParser } from '../format-parser.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Declined, Script } from '../script/script.ts';
import { readArguments } from '../script/read-arguments.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const CALL_BEGIN = '<|tool_call_begin|>';
const ARGUMENTS_BEGIN = '<|tool_call_argument_begin|>';
const CALL_END = '<|tool_call_end|>';
const SECTION_ENDS = new MarkerSet(['<|tool_calls_section_end|>', '<|tool_call_section_end|>']);
const HEADER_ENDS = new MarkerSet([ARGUMENTS_BEGIN, CALL_END, CALL_BEGIN]);
/** No header is longer; prose is. */
const LONGEST_HEADER = 256;

/** `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`, again and again. */
function* readSection(input: ScriptInput): Script<Declined | undefined> {
  for (;;) {
    yield* input.skipSpace();
    if ((yield* input.takeAny(SECTION_ENDS)) !== undefined) return undefined;
    if (!(yield* input.take(CALL_BEGIN))) return input.stop('no call follows');
    const problem = yield* readCall(input);
    if (problem !== undefined) return problem;
  }
}

function* readCall(input: ScriptInput): Script<Declined | undefined> {
  input.resemblesCall = true;
  const header = yield* input.until(HEADER_ENDS);
  if (header.marker === undefined) return input.cutShort();
  const id = header.text.trim();
  const name = nameIn(id);
  if (header.marker !== ARGUMENTS_BEGIN || name === '' || id.length > LONGEST_HEADER)
    return input.stop(`${JSON.stringify(id.slice(0, 40))} names no tool`);
  input.skip(ARGUMENTS_BEGIN.length);
  const draft = input.beginCall(name, id);
  return yield* readArguments(input, draft, CALL_END);
}

/** `functions.get_weather:0` is the id; the tool is what stands between the prefix and the number. */
function nameIn(id: string): string {
  const colon = id.lastIndexOf(':');
  if (colon < 0 || !/^\d+$/.test(id.slice(colon + 1).trim())) return '';
  const name = id.slice(0, colon).trim();
  return name.startsWith('functions.') ? name.slice('functions.'.length) : name;
}

function* readLoneCall(input: ScriptInput): Script<Declined | undefined> {
  return yield* readCall(input);
}

export const kimiK2: FormatParser = new FormatParser({
  name: 'kimi-k2',
  formats: [
    scriptFormat(['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'], readSection),
    // Some answers leave the section out.
    scriptFormat([CALL_BEGIN], readLoneCall),
  ],
  sample:
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.md"}<|tool_call_end|><|tool_calls_section_end|>',
  models: ['kimi-k2', 'kimi_k2', 'kimi-linear'],
});
