import { FormatParser } from '../format-parser.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { ArgumentsEnd } from '../script/read-arguments.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import { readNamelessCall } from '../script/read-nameless-call.ts';
import type { Declined, Script } from '../script/script.ts';
import { isToolName } from '../xml/tool-name.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const CALL_BEGIN = '<|tool_call_begin|>';
const ARGUMENTS_BEGIN = '<|tool_call_argument_begin|>';
const CALL_END = '<|tool_call_end|>';
/** The singular is a slip of some versions. */
const SECTION_BEGINS = ['<|tool_calls_section_begin|>', '<|tool_call_section_begin|>'];
const SECTION_ENDS = ['<|tool_calls_section_end|>', '<|tool_call_section_end|>'];
const HEADER_ENDS = new MarkerSet([ARGUMENTS_BEGIN, CALL_END]);
const ARGUMENTS_END: ArgumentsEnd = { marker: CALL_END, next: CALL_BEGIN };
/** No header is longer; prose is. */
const LONGEST_HEADER = 256;

const CALLS: CallList = {
  callBegins: new MarkerSet([CALL_BEGIN]),
  listEnds: new MarkerSet(SECTION_ENDS),
  readCall,
};

/** `functions.NAME:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`. The whole header is the call's id. */
function* readCall(input: ScriptInput): Script<Declined | undefined> {
  const header = yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST_HEADER);
  const id = header.trim();
  const marker = yield* input.takeAny(HEADER_ENDS);
  if (marker === undefined) {
    if (!(yield* input.isAtEnd())) return input.stop('no header of a call follows');
    input.resemblesCall = /^\w\S*$/.test(id);
    return input.cutShort();
  }
  const name = nameIn(id, input);
  if (name !== undefined) {
    const draft = input.beginCall(name, id);
    if (marker === ARGUMENTS_BEGIN) return yield* readArguments(input, draft, ARGUMENTS_END);
    input.endCall(draft);
    return undefined;
  }
  yield* input.skipSpace();
  // Prose about the dialect has no JSON.
  input.resemblesCall = yield* input.startsWith('{');
  if (marker !== ARGUMENTS_BEGIN || !/^\d+$/.test(id))
    return input.stop(`${JSON.stringify(id)} names no tool`);
  return yield* readNamelessCall(input, id, ARGUMENTS_END);
}

/** `functions.get_weather:0` names the tool between the prefix and the number; a known tool needs no number. */
function nameIn(id: string, { context }: ScriptInput): string | undefined {
  const colon = id.lastIndexOf(':');
  const isNumbered = colon > 0 && /^\s*\d+$/.test(id.slice(colon + 1));
  const written = isNumbered ? id.slice(0, colon).trim() : id;
  const name = written.startsWith(PREFIX) ? written.slice(PREFIX.length) : written;
  if (isNumbered) return isToolName(context, name) ? name : undefined;
  return context.tools?.resolve(name) === undefined ? undefined : name;
}

const LESS_THAN = 0x3c;
const PREFIX = 'functions.';
const NAME = 'kimi-k2';

export const kimiK2: FormatParser = new FormatParser({
  name: NAME,
  formats: [
    scriptFormat(SECTION_BEGINS, (input) => readCallList(input, CALLS)),
    // Some answers leave the section out.
    scriptFormat([CALL_BEGIN], (input) => readLoneCalls(input, CALLS, CALL_BEGIN)),
    // Text may come between the last call and the end of its section.
    markupTokens(SECTION_ENDS, NAME),
    endOfTurn('<|im_end|>'),
  ],
  sample:
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "notes.md"}<|tool_call_end|><|tool_calls_section_end|>',
  models: ['kimi-k2', 'kimi_k2', 'kimi-linear'],
});
