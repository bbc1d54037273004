import { FormatParser } from '../format-parser.ts';
import { canGoOn } from '../script/can-go-on.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { endArguments, markersOf } from '../script/read-arguments.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { takeJsonCalls } from '../script/take-json-calls.ts';
import { readArgCall } from '../xml/arg-call.ts';
import { ArgMarkup, argTags } from '../xml/arg-markup.ts';

const MARKUP = new ArgMarkup(
  {
    ...argTags((tag) => `ifm|${tag}`),
    typeBegin: '<ifm|arg_type>',
    typeEnd: '</ifm|arg_type>',
  },
  { keepsFirst: true },
);
const CALLS: CallList = {
  callBegins: new MarkerSet([MARKUP.callBegin]),
  listEnds: MARKUP.listEnds,
  readCall,
};
/** One tag for each effort of thinking. */
const EFFORTS = ['think', 'think_fast', 'think_faster'];

function* readCall(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.startsWith('{'))) return yield* readArgCall(input, MARKUP);
  const end = { marker: MARKUP.callEnd, next: MARKUP.callBegin };
  const problem = takeJsonCalls(input, yield* input.json(markersOf(end)));
  const draft = input.drafts.at(-1);
  if (problem !== undefined || draft === undefined || !canGoOn(input)) return problem;
  yield* endArguments(input, draft, end);
  return undefined;
}

/** `<ifm|tool_call>` around a name with keys, types and values, or around JSON. */
export const k2Horizon: FormatParser = new FormatParser({
  name: 'k2-horizon',
  formats: [
    {
      ...scriptFormat(['<ifm|tool_calls>'], (input) => readCallList(input, CALLS)),
      reasoning: EFFORTS.map((tag) => ({ open: `<ifm|${tag}>`, close: `</ifm|${tag}>` })),
    },
    scriptFormat([MARKUP.callBegin], (input) => readLoneCalls(input, CALLS, MARKUP.callBegin)),
  ],
  sample:
    '<ifm|tool_calls>\n<ifm|tool_call>read_file\n<ifm|arg_key>path</ifm|arg_key>\n<ifm|arg_value>notes.md</ifm|arg_value>\n</ifm|tool_call>\n</ifm|tool_calls>',
  models: ['k2-horizon', 'k2_horizon'],
});
