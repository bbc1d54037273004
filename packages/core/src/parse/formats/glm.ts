import { FormatParser } from '../format-parser.ts';
import { readCalls } from '../call-shape.ts';
import { skipSpace } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { canGoOn } from '../script/can-go-on.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { takeJsonCalls } from '../script/take-json-calls.ts';
import { argCallName, readArgCall } from '../xml/arg-call.ts';
import { ArgMarkup, argTags } from '../xml/arg-markup.ts';
import type { ArgTags } from '../xml/arg-markup.ts';
import { isToolName } from '../xml/tool-name.ts';

const NAME = 'glm';
const tags = (call: string): ArgTags => argTags((tag) => tag, call);
/** TeleChat 4 and Xing 4 write `<param_key>` and `<param_value>`. */
const PARAM_TAGS = argTags((tag) => tag.replace('arg_', 'param_'));
const MARKUP = new ArgMarkup(tags('tool_call'), { other: new ArgMarkup(PARAM_TAGS) });
/** A slip of Laguna, which takes the tag of its prompts for the tag of its calls. */
const SLIP = new ArgMarkup(tags('user'));
/** IQuest Coder V2 and IQuest Q1 have their own tag for the same call. */
const IQUEST = ['iquestcoder_tool_call', 'iquest_tool_call'].map((tag) => new ArgMarkup(tags(tag)));
/** Step-Audio 2 writes the type of the tool on a line before its name. */
const TYPE_LINE = 'function\n';

/** Names that Laguna was trained on, and what others call these tools. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['read_file', 'read'],
  ['write_file', 'write'],
  ['edit_file', 'edit'],
]);

/** The tool that is meant by `written`: by its other name, where only that was offered. */
function toolNamed({ context: { tools } }: ScriptInput, written: string): string {
  const other = OTHER_NAMES.get(written);
  if (other === undefined || tools === undefined || tools.resolve(written) !== undefined)
    return written;
  return tools.resolve(other) ?? written;
}

/** The only tool that GLM 5.3 Flash can mean by a word for people, such as `Weather` for `get_weather`. */
function displayedTool(tools: OfferedTools | undefined, written: string): string | undefined {
  if (tools === undefined || !/^[A-Z][a-z]+$/.test(written)) return undefined;
  return tools.resolve(written) === undefined ? tools.withWord(written.toLowerCase()) : undefined;
}

/** A tool that a word was taken for is the one only if the arguments fit it. */
function confirm(draft: CallDraft, tools: OfferedTools | undefined): void {
  if (tools?.misfit(draft.name, draft.toRawCall().arguments) !== undefined) draft.markLossy();
}

function* readBlock(input: ScriptInput): Script<Declined | undefined> {
  const { context } = input;
  yield* takeTypeLine(input);
  // Other dialects share the tag: without tools, a lone word in it is any text.
  const mayBeLone = context.tools !== undefined || context.expects(NAME);
  const guesses: string[] = [];
  const toolOf = (written: string): string => {
    const name = toolNamed(input, written);
    const meant = name === written ? displayedTool(context.tools, written) : undefined;
    if (meant !== undefined) guesses.push(meant);
    return meant ?? name;
  };
  const problem = yield* readArgCall(input, MARKUP, toolOf, mayBeLone);
  const draft = input.drafts.at(-1);
  if (guesses.length > 0 && draft?.isClosed === true) confirm(draft, context.tools);
  // Space after a call without an end is text.
  return problem === undefined && canGoOn(input) ? input.stop('the call has ended') : problem;
}

/** Takes the line only if a name follows: otherwise a tool is named `function`. */
function* takeTypeLine(input: ScriptInput): Script<void> {
  yield* input.skipSpace();
  if (!(yield* input.startsWith(TYPE_LINE))) return;
  const next = (yield* input.peek(TYPE_LINE.length + 1)).slice(TYPE_LINE.length);
  if (/^\w$/.test(next)) input.skip(TYPE_LINE.length);
}

/** Only a tool that was offered makes a call of what stands in `<user>`. */
function* readSlip(input: ScriptInput): Script<Declined | undefined> {
  const { tools, maxDepth } = input.context;
  if (tools === undefined) return input.decline('nobody said which tools there are');
  yield* input.skipSpace();
  const isOffered = (name: string): boolean => tools.resolve(name) !== undefined;
  if (!(yield* input.startsWith('{'))) {
    const toolOf = (written: string): string | undefined => {
      const name = toolNamed(input, written);
      return isOffered(name) ? name : undefined;
    };
    return yield* readArgCall(input, SLIP, toolOf);
  }
  const json = yield* input.json({ endMarker: SLIP.callEnd, nextMarker: SLIP.callBegin });
  const calls = json.value === undefined ? [] : readCalls(json.value, maxDepth);
  if (typeof calls === 'string' || !calls.every(({ name }) => isOffered(name)))
    return input.decline('no tool is named');
  const problem = takeJsonCalls(input, json);
  if (problem !== undefined || input.drafts.at(-1)?.isClosed !== true) return problem;
  yield* input.skipSpace();
  return (yield* input.take(SLIP.callEnd)) ? undefined : input.stop(`no ${SLIP.callEnd} follows`);
}

/** The body of a block whose opening tag stood in the prompt. */
function* readPromptedBlock(input: ScriptInput): Script<Declined | undefined> {
  input.isQuiet = true;
  let ahead = input.ahead(LONGEST_PROMPTED);
  while (!input.isEnded && ahead.length < LONGEST_PROMPTED && !PROMPTED.test(ahead)) {
    if (declinesPrompted(ahead, 0, input.context.tools)) break;
    yield;
    ahead = input.ahead(LONGEST_PROMPTED);
  }
  if (!PROMPTED.test(ahead)) return input.decline('no key follows');
  return yield* readArgCall(input, MARKUP, (written) => input.context.evidence?.resolve(written));
}

/** Whether what begins at `at` is no name on a line of its own with a key behind it, as far as it is here. */
function declinesPrompted(text: string, at: number, tools: OfferedTools | undefined): boolean {
  const ahead = text.slice(at, at + LONGEST_PROMPTED);
  const name = /^\w[\w.-]*/.exec(ahead)?.[0] ?? '';
  if (name === '' || tools?.names.mayBegin(name) !== true) return true;
  const rest = ahead.slice(name.length).trimStart();
  return !KEY_BEGIN.startsWith(rest) && !rest.startsWith(KEY_BEGIN);
}

const KEY_BEGIN = '<arg_key>';
const PROMPTED = /^\w[\w.-]*\s+<arg_key>/;
const LONGEST_PROMPTED = 160;

/** Whether no name can stand at `at`. */
function declines(text: string, at: number, tools: OfferedTools | undefined): boolean {
  const start = skipSpace(text, at);
  if (text.charAt(start) === '<') return TAG_BEGINNINGS.at(text, start, false) === undefined;
  if (start >= text.length || /[\w\\\u0080-\uffff]/.test(text.charAt(start))) return false;
  if (tools === undefined) return true;
  const name = argCallName(text, start);
  return name !== undefined && !isToolName({ tools }, name);
}

/** A name that is missing, a tag that is doubled, an empty call, or another tag for a call. */
const TAG_BEGINNINGS = new MarkerSet(['<a', '<to', '</', '<u']);

export const glm: FormatParser = new FormatParser({
  name: NAME,
  formats: [
    scriptFormat([MARKUP.callBegin], readBlock, declines),
    scriptFormat([SLIP.callBegin], readSlip),
    {
      ...scriptFormat([{ text: '', at: 'line-start' }], readPromptedBlock, declinesPrompted),
      isBare: true,
    },
    ...IQUEST.map((markup) =>
      scriptFormat([markup.callBegin], (input) => readArgCall(input, markup)),
    ),
  ],
  sample:
    '<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>notes.md</arg_value>\n</tool_call>',
  models: [
    'glm-4.5',
    'glm-4.6',
    'glm-4.7',
    'glm-5',
    'ling-3',
    'poolside',
    'laguna',
    'iquest-coder-v2',
    'iquest-q1',
    'telechat',
    'xing-4',
    'xing4',
    'step-audio-2',
    'hyperclovax-seed-think',
    'spark-2.5',
    'spark-3',
    'spark3',
  ],
});
