import { FormatParser } from '../format-parser.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { markupTokens } from '../script/markup-tokens.ts';
import { readArguments } from '../script/read-arguments.ts';
import { readCallList, readLoneCalls } from '../script/read-call-list.ts';
import type { CallList } from '../script/read-call-list.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { isToolName } from '../xml/tool-name.ts';

const NAME = 'solar-open';
const LIST_BEGIN = '<|tool_calls|>';
const LIST_END = '<|calls|>';
const CALL_BEGIN = '<|tool_call:begin|>';
const CALL_NAME = '<|tool_call:name|>';
const CALL_ARGUMENTS = '<|tool_call:args|>';
const CALL_END = '<|tool_call:end|>';
const CONTENT = '<|content|>';
const AFTER_NAME = new MarkerSet([CALL_ARGUMENTS, CALL_END]);
/** No id and no name is longer; prose is. */
const LONGEST_PART = 128;
const LESS_THAN = 0x3c;

const CALLS: CallList = {
  callBegins: new MarkerSet([CALL_BEGIN]),
  listEnds: new MarkerSet([LIST_END]),
  readCall,
};

/** `ID<|tool_call:name|>NAME<|tool_call:args|>{…}<|tool_call:end|>`. */
function* readCall(input: ScriptInput): Script<Declined | undefined> {
  const id = yield* readPart(input);
  if (!(yield* input.take(CALL_NAME))) return yield* breakOff(input, 'no name of a tool follows');
  input.resemblesCall = true;
  const name = yield* readPart(input);
  const marker = yield* input.takeAny(AFTER_NAME);
  if (marker === undefined || !isToolName(input.context, name))
    return yield* breakOff(input, 'no arguments follow');
  const draft = input.beginCall(name, id === '' ? undefined : id);
  if (marker === CALL_ARGUMENTS)
    return yield* readArguments(input, draft, { marker: CALL_END, next: CALL_BEGIN });
  input.endCall(draft);
  return undefined;
}

function* readPart(input: ScriptInput): Script<string> {
  return (yield* input.takeWhile((code) => code !== LESS_THAN, LONGEST_PART)).trim();
}

function* breakOff(input: ScriptInput, reason: string): Script<Declined | undefined> {
  return (yield* input.isAtEnd()) ? input.cutShort() : input.stop(reason);
}

/** The beginning of a message, where its content or its calls follow; in prose they do not. */
function* readBeginning(input: ScriptInput): Script<Declined | undefined> {
  if ((yield* input.peek(2)) !== '<|') return input.decline('no message follows');
  input.frame = { kind: 'markup' };
  return undefined;
}

// eslint-disable-next-line require-yield -- a script that needs no more text
function* readContent(input: ScriptInput): Script<Declined | undefined> {
  input.frame = { kind: 'markup' };
  return undefined;
}

export const solarOpen: FormatParser = new FormatParser({
  name: NAME,
  formats: [
    {
      ...scriptFormat([LIST_BEGIN], (input) => readCallList(input, CALLS)),
      reasoning: [{ open: '<|think|>', close: '<|end|>' }],
    },
    scriptFormat([CALL_BEGIN], (input) => readLoneCalls(input, CALLS, CALL_BEGIN)),
    scriptFormat(['<|begin|>assistant'], readBeginning),
    scriptFormat([{ text: CONTENT, at: 'text-start' }], readContent),
    markupTokens([CONTENT, LIST_END, '<|end|>', '<|flush|>'], NAME),
  ],
  sample:
    '<|tool_calls|><|tool_call:begin|>0<|tool_call:name|>read_file<|tool_call:args|>{"path": "notes.md"}<|tool_call:end|>',
  models: ['solar-open'],
});
