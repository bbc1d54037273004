import { checkFit, readBareCalls, readObject } from '../bare/read-bare-calls.ts';
import type { Region } from '../bare/read-bare-calls.ts';
import { bareHeadAt } from '../bare/bare-head.ts';
import type { Format } from '../format.ts';
import { FormatParser } from '../format-parser.ts';
import { isInlineSpace, skipSpace } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Declined, Script } from '../script/script.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { ScriptInput } from '../script/script-input.ts';

const FENCE = '```';
const TICK = '`';
const QUOTES = '"\'`';
const LONGEST_LANGUAGE = 32;
/** Tags whose body may be calls. Other dialects read the same tags as JSON. */
const TAGS = [
  'tool_call',
  'tool_code',
  'tools',
  'tool',
  'function_call',
  'function',
  'code',
] as const;
const CLOSINGS = new MarkerSet(TAGS.map((tag) => `</${tag}>`));

/** A line. Its opening tag may have stood in the prompt, so that only the closing one is here. */
const LINE: Region = {
  takesEmpty: false,
  *next(input, isWhole) {
    for (;;) {
      yield* input.takeWhile(isInlineSpace, Infinity);
      const next = yield* input.peek(1);
      if (next === '') return 'end';
      if (next === '\n' || next === '\r') {
        if (!isWhole) return 'end';
        yield* input.skipSpace();
        return (yield* input.isAtEnd()) ? 'end' : 'call';
      }
      if ((yield* input.takeAny(CLOSINGS)) !== undefined) {
        const last = input.drafts.at(-1);
        if (last !== undefined) input.endCall(last);
      } else if (next === ',' || next === ';') {
        input.skip(1);
        if (next === ',') yield* input.skipSpace();
      } else return 'call';
    }
  },
};

/** Up to a closing marker, or the end of the text. */
function regionUpTo(take: (input: ScriptInput) => Script<boolean>): Region {
  return {
    takesEmpty: true,
    *next(input) {
      yield* input.skipSpace();
      while ((yield* input.take(',')) || (yield* input.take(';'))) yield* input.skipSpace();
      const last = input.drafts.at(-1);
      if (yield* take(input)) {
        if (last !== undefined) input.endCall(last);
        return 'end';
      }
      if (!(yield* input.isAtEnd())) return 'call';
      last?.note('missing-end-marker');
      return 'end';
    },
  };
}

const BRACKETED: Region = regionUpTo((input) => input.take(']'));
const FENCED: Region = regionUpTo((input) => input.take(FENCE));
const TAGGED: Region = regionUpTo(function* takeClosing(input) {
  return (yield* input.takeAny(CLOSINGS)) !== undefined;
});

/** A message that is nothing but calls, with stray quotes around them. */
const MESSAGE: Region = regionUpTo((input) => input.isAtEnd());
/** One pair of backticks around the whole message. */
const TICKED: Region = {
  takesEmpty: true,
  *next(input) {
    const isTicked = yield* input.take(TICK);
    if (isTicked) yield* input.skipSpace();
    return isTicked && (yield* input.isAtEnd()) ? 'end' : 'other';
  },
};

function* readLine(input: ScriptInput): Script<Declined | undefined> {
  return yield* readBareCalls(input, LINE);
}

/** A whole message in quotes or backticks. */
function* readQuoted(input: ScriptInput): Script<Declined | undefined> {
  if (!QUOTES.includes(yield* input.peek(1))) return input.decline('no quote comes first');
  const isTicked = yield* input.take(TICK);
  return yield* readBareCalls(input, isTicked ? TICKED : MESSAGE);
}

function* readFence(input: ScriptInput): Script<Declined | undefined> {
  // Without a line break there is no language: `` ```f(a=1)``` ``.
  const length = languageLength(yield* input.peek(LONGEST_LANGUAGE));
  input.skip(length);
  yield* input.skipSpace();
  return yield* readBareCalls(input, FENCED);
}

/** How a template writes a call for a model that has no tokens of its own for it. */
interface NamedForm {
  readonly begin: string;
  /** The text between the name and the arguments. */
  readonly separator: string;
  readonly end?: string;
}

const NAMED_FORMS: readonly NamedForm[] = [
  { begin: '✿FUNCTION✿:', separator: '✿ARGS✿:' },
  { begin: '[tool]', separator: '[args]', end: '[end]' },
];
const LONGEST_NAME = 128;

function namedForm({ begin, separator, end }: NamedForm): Format {
  const separators = new MarkerSet([separator, '\n\n']);

  function* readForm(input: ScriptInput): Script<Declined | undefined> {
    input.isQuiet = true;
    const { text, marker } = yield* input.until(separators);
    const name = text.trim();
    const tool = name.length > LONGEST_NAME ? undefined : input.context.evidence?.resolve(name);
    if (tool === undefined || marker !== separator)
      return input.decline('no offered tool is named');
    input.skip(separator.length);
    yield* input.skipSpace();
    if (!(yield* input.startsWith('{'))) return input.decline('no arguments follow the name');
    const draft = input.beginCall(name);
    const problem = yield* readObject(input, draft);
    if (problem !== undefined || !draft.isClosed) return problem;
    if (end !== undefined) {
      yield* input.skipSpace();
      if (yield* input.take(end)) input.endCall(draft);
      else draft.note('missing-end-marker');
    }
    return checkFit(input);
  }

  return bare(scriptFormat([{ text: begin, at: 'line-start' }], readForm));
}

const CALLING = '[Calling tool:';

/** `[Calling tool: f({…})]`. */
function* readCalling(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  return yield* readBareCalls(input, BRACKETED);
}

function* readTag(input: ScriptInput): Script<Declined | undefined> {
  yield* input.skipSpace();
  return yield* readBareCalls(input, TAGGED);
}

function declinesLine(text: string, at: number, tools: OfferedTools | undefined): boolean {
  return tools === undefined || bareHeadAt(text, at, tools) === 'no';
}

function declinesQuoted(text: string, at: number, tools: OfferedTools | undefined): boolean {
  const first = text.charAt(at);
  if (!QUOTES.includes(first)) return true;
  return declinesLine(text, first === TICK ? at + 1 : at, tools);
}

function declinesFence(text: string, from: number, tools: OfferedTools | undefined): boolean {
  const head = text.slice(from, from + LONGEST_LANGUAGE);
  if (head.length < LONGEST_LANGUAGE && !head.includes('\n')) return false;
  const start = skipSpace(text, from + languageLength(head));
  return start < text.length && declinesLine(text, start, tools);
}

/** How many characters of `head`, which follows a fence, name its language. */
function languageLength(head: string): number {
  return /^[\w-]*[ \t]*(?=\r?\n)/.exec(head)?.[0].length ?? 0;
}

function declinesTag(text: string, from: number, tools: OfferedTools | undefined): boolean {
  const at = skipSpace(text, from);
  return at < text.length && declinesLine(text, at, tools);
}

function bare(format: Format): Format {
  return { ...format, isBare: true };
}

/** Calls that have no markup: the names and parameters of the offered tools are the evidence. */
export const bareCall: FormatParser = new FormatParser({
  name: 'bare-call',
  formats: [
    bare(scriptFormat([{ text: '', at: 'line-start' }], readLine, declinesLine)),
    bare(scriptFormat([{ text: '', at: 'text-start' }], readQuoted, declinesQuoted)),
    bare(scriptFormat([{ text: CALLING, at: 'line-start' }], readCalling)),
    ...NAMED_FORMS.map(namedForm),
    bare(scriptFormat([{ text: FENCE, at: 'line-start' }], readFence, declinesFence)),
    bare(
      scriptFormat(
        TAGS.map((tag) => `<${tag}>`),
        readTag,
        declinesTag,
      ),
    ),
  ],
  sample: 'read_file(path="notes.md", lines=20)',
  models: [],
});
