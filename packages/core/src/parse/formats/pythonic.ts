import { FormatParser } from '../format-parser.ts';
import { BACKSLASH, isSpace } from '../json/char-code.ts';
import { pythonBlock } from '../pythonic/python-block.ts';
import {
  isNameCharacter,
  isNameStart,
  LONGEST_NAME,
  PythonCalls,
} from '../pythonic/python-calls.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { scriptFormat } from '../script/script-format.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';

const LIST = '[';
/** What follows brackets that are the text of a link or an index. */
const LINK = /^[([]/;
/** The same without tools, where brackets in backticks are code. */
const LINK_OR_CODE = /^[([`]/;
/** What shows that brackets are part of a larger expression, or define a link. */
const EXPRESSION = /^[ \t]*(?:[.,:;=)\]}+*/%|&-]|(?:if|for|in|is|and|or|not)\b)/;
/** How far is looked ahead for that. */
const LOOK_AHEAD = 16;

/** A list from behind its bracket. */
function* readList(input: ScriptInput): Script<Declined | undefined> {
  const { tools, keepsIncomplete } = input.context;
  yield* input.skipSpace();
  // `[#12]` is no list that begins with a comment: a bare list begins with a call.
  const first = yield* input.peek(1);
  if (first !== '' && !isNameStart(first.charCodeAt(0)))
    return input.decline('no call follows the bracket');
  const calls = new PythonCalls(input, {
    // Where tools were offered, only they are believed.
    toolOf: (written) => (tools === undefined ? written : tools.resolve(written) && written),
  });
  if (!(yield* calls.list())) {
    if (calls.isCut && (tools !== undefined || keepsIncomplete)) return input.cutShort();
    input.isCut = calls.isCut;
    // Where nobody said which tools there are, it may as well be code.
    input.resemblesCall &&= tools !== undefined || calls.isCut;
    return input.decline(calls.failure || 'the text ends inside the list of calls');
  }
  const ahead = yield* input.peek(tools === undefined ? LOOK_AHEAD : 1);
  const isCode =
    tools === undefined ? LINK_OR_CODE.test(ahead) || EXPRESSION.test(ahead) : LINK.test(ahead);
  if (!isCode) return undefined;
  input.resemblesCall = false;
  return input.decline('it is part of a link or of code');
}

/** At the start of a line, a whole list of calls is one where nobody said which tools there are. */
function* readListOfAny(input: ScriptInput): Script<Declined | undefined> {
  // Else it is read as one amid a line is.
  if (input.context.tools !== undefined) return yield* readListOfUnknown(input);
  return yield* readList(input);
}

/** A message that is nothing but a list of calls, the first of a tool that was not offered, is reported. */
function* readListOfUnknown(input: ScriptInput): Script<Declined | undefined> {
  const { tools, before } = input.context;
  if (before !== '') return input.decline('the tools are known');
  input.isQuiet = true;
  yield* input.skipSpace();
  const names: string[] = [];
  const isKnown = (name: string): boolean => tools?.resolve(name) !== undefined;
  const calls = new PythonCalls(input, {
    toolOf: (written) =>
      isKnown(names[0] ?? written) ? undefined : (names.push(written), written),
  });
  const isList = (yield* calls.list()) && input.drafts.every(({ size }) => size > 0);
  yield* input.skipSpace();
  input.resemblesCall = isList && (yield* input.isAtEnd());
  if (input.resemblesCall && !names.some(isKnown)) return undefined;
  const [first] = names;
  return input.decline(
    first === undefined ? 'the tools are known' : `${JSON.stringify(first)} is no tool`,
  );
}

/** Anywhere, a known tool shows that brackets are a call. */
function* readListOfKnown(input: ScriptInput): Script<Declined | undefined> {
  if (input.context.tools === undefined) return input.decline('no tools were offered');
  return yield* readList(input);
}

/** Whether what stands behind a bracket is not `name(`. */
function declinesList(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean {
  let at = bodyAt;
  while (at < text.length && isSpace(text.charCodeAt(at))) at++;
  if (at >= text.length) return false;
  if (!isNameStart(text.charCodeAt(at))) return true;
  const end = at + LONGEST_NAME;
  const isName = tools === undefined ? isNameCharacter : isEscapedNameCode;
  while (at < text.length && at < end && isName(text.charCodeAt(at))) at++;
  return at < text.length && text.charAt(at) !== '(';
}

/** A character of a name, or the backslash that Markdown puts before an underscore. */
function isEscapedNameCode(code: number): boolean {
  return isNameCharacter(code) || code === BACKSLASH;
}

export const pythonic: FormatParser = new FormatParser({
  name: 'pythonic',
  formats: [
    scriptFormat(
      ['<|python_start|>'],
      pythonBlock({ begin: '<|python_start|>', ends: ['<|python_end|>'] }),
    ),
    scriptFormat([{ text: LIST, at: 'line-start' }], readListOfAny, declinesList),
    scriptFormat([LIST], readListOfKnown, declinesList),
  ],
  sample: '[read_file(path="notes.md", lines=20)]',
  models: ['granite-3.3', 'granite-4.0-h-small', 'llama-4', 'llama4', 'llama-3.2', 'pythonic'],
});
