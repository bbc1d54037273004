import { FormatParser } from '../format-parser.ts';
import type { Opening } from '../format.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { readArgCall } from '../xml/arg-call.ts';
import { ArgMarkup, argTags } from '../xml/arg-markup.ts';

/** The calls of a list whose tags all carry `suffix`. */
function callsWith(suffix: string): CallList {
  const markup = new ArgMarkup(argTags((tag) => tag + suffix));
  return {
    callBegins: new MarkerSet([markup.callBegin]),
    listEnds: markup.listEnds,
    readCall: (input) => readArgCall(input, markup),
  };
}

const PLAIN_CALLS = callsWith('');
/** A text has one suffix, and making the markers of one costs more than reading a call. */
let latest = { suffix: '', calls: PLAIN_CALLS };

function callsOf(suffix: string): CallList {
  if (latest.suffix !== suffix) latest = { suffix, calls: callsWith(suffix) };
  return latest.calls;
}

const LIST_BEGIN = '<tool_calls';
const CALL_BEGIN = '<tool_call';
const SUFFIXED_CALL = `${CALL_BEGIN}:`;
/** With the suffix of Hy3, for a text that begins inside reasoning. */
const REASONING = { open: '<think:opensource>', close: '</think:opensource>' };
/** No tokenizer has a longer one. */
const LONGEST_SUFFIX = 32;

function* readPlainList(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  if (!(yield* input.startsWith(CALL_BEGIN))) return input.decline('no call follows');
  return yield* readCallList(input, PLAIN_CALLS);
}

/** `<tool_calls:SUFFIX>` or, where that was left out, `<tool_call:SUFFIX>`, read from behind the colon. */
function* readWithSuffix(input: ScriptInput, opening: Opening): Script<Declined | undefined> {
  const suffix = yield* input.takeWhile(isSuffixCharacter, LONGEST_SUFFIX);
  if (suffix === '' || !(yield* input.take('>'))) return input.decline('it is no tag of a call');
  const callBegin = `${SUFFIXED_CALL}${suffix}>`;
  if (opening.text === SUFFIXED_CALL)
    return yield* readLoneCalls(input, callsOf(`:${suffix}`), callBegin);
  yield* input.skipSpace();
  if (!(yield* input.startsWith(callBegin))) return input.decline('no call follows');
  return yield* readCallList(input, callsOf(`:${suffix}`));
}

function isSuffixCharacter(code: number): boolean {
  const letter = code | 0x20;
  const isDigit = code >= 0x30 && code <= 0x39;
  return (letter >= 0x61 && letter <= 0x7a) || isDigit || code === 0x5f || code === 0x2d;
}

/** `<think:SUFFIX>`: the suffix differs between the checkpoints of Hy4. */
function* readThink(input: ScriptInput): Script<Declined | undefined> {
  const suffix = yield* input.takeWhile(isSuffixCharacter, LONGEST_SUFFIX);
  if (suffix === '' || !(yield* input.take('>'))) return input.decline('it begins no reasoning');
  input.frame = { kind: 'reasoning', ends: [{ text: `</think:${suffix}>` }] };
  return undefined;
}

export const hy3: FormatParser = new FormatParser({
  name: 'hy3',
  formats: [
    { ...scriptFormat([`${LIST_BEGIN}>`], readPlainList), reasoning: [REASONING] },
    scriptFormat([`${LIST_BEGIN}:`, SUFFIXED_CALL], readWithSuffix),
    scriptFormat([{ text: '<think:', at: 'line-start' }], readThink),
  ],
  sample:
    '<tool_calls>\n<tool_call>read_file<tool_sep>\n<arg_key>path</arg_key>\n<arg_value>notes.md</arg_value>\n</tool_call>\n</tool_calls>',
  models: ['hy3', 'hunyuan-3', 'hunyuan_v3', 'hy_v3', 'hy4', 'hunyuan-4', 'hy_v4'],
});
