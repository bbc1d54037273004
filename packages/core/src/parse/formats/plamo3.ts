import { FormatParser } from '../format-parser.ts';
import { endOfTurn } from '../script/end-of-turn.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { ArgumentsEnd } from '../script/read-arguments.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isToolName } from '../xml/tool-name.ts';

const token = (name: string): string => `<|plamo:${name}:plamo|>`;
const LIST_BEGIN = token('begin_tool_requests');
const CALL_BEGIN = token('begin_tool_request');
const CALL_END = token('end_tool_request');
const NAME_BEGIN = token('begin_tool_name');
const NAME_END = token('end_tool_name');
const ARGUMENTS_BEGIN = token('begin_tool_arguments');
/** Between the beginning of the arguments and their JSON. */
const CONSTRAIN = '<|plamo:constrain|>json';
const MESSAGE = '<|plamo:msg|>';
const ARGUMENTS_END: ArgumentsEnd = {
  marker: token('end_tool_arguments'),
  markers: new MarkerSet([CALL_END]),
};
/** What a request consists of. */
const TOKENS = new MarkerSet([NAME_BEGIN, NAME_END, ARGUMENTS_BEGIN, CALL_END]);
/** No name is longer; prose is. */
const LONGEST_NAME = 128;
const LESS_THAN = 0x3c;

const CALLS: CallList = {
  callBegins: new MarkerSet([CALL_BEGIN]),
  listEnds: new MarkerSet([token('end_tool_requests')]),
  readCall,
};

function* readCall(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.take(NAME_BEGIN))) return yield* breakOff(input, 'no name of a tool follows');
  const name = (yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST_NAME)).trim();
  if (!(yield* input.take(NAME_END)) || !isToolName(input.context, name))
    return yield* breakOff(input, 'it names no tool');
  input.resemblesCall = true;
  yield* input.skipSpace();
  const hasArguments = yield* input.take(ARGUMENTS_BEGIN);
  if (!hasArguments && !(yield* input.startsWith(CALL_END)))
    return yield* breakOff(input, 'no arguments follow');
  yield* input.take(CONSTRAIN);
  yield* input.take(MESSAGE);
  const draft = input.beginCall(name);
  const problem = yield* readArguments(input, draft, ARGUMENTS_END);
  if (problem !== undefined || !draft.isClosed) return problem;
  yield* input.skipSpace();
  if (yield* input.take(CALL_END)) input.endCall(draft);
  return undefined;
}

function* breakOff(input: ScriptInput, reason: string): Script<Declined | undefined> {
  const isCut = (yield* input.isAtEnd()) || (yield* input.endsInside(TOKENS));
  return isCut ? input.cutShort() : input.stop(reason);
}

/** A name and JSON, each part of a call between two tokens. */
export const plamo3: FormatParser = new FormatParser({
  name: 'plamo3',
  formats: [
    {
      ...scriptFormat([LIST_BEGIN], (input) => readCallList(input, CALLS)),
      reasoning: [{ open: token('begin_think'), close: token('end_think') }],
    },
    // Some answers omit the list.
    scriptFormat([CALL_BEGIN], (input) => readLoneCalls(input, CALLS, CALL_BEGIN)),
    endOfTurn('<|plamo:tag|>'),
  ],
  sample:
    '<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>read_file<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>{"path": "notes.md"}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>',
  models: ['plamo-3', 'plamo3'],
});
