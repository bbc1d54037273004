import { isQuote, isWord, skipSpace, SPACE } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';
import { isNameStart } from '../pythonic/python-calls.ts';
import { beginsLikeCall } from '../readers/call-beginning.ts';

/** How text that names an offered tool goes on. */
export type BareHead =
  /** JSON that may stand for calls. */
  | { readonly form: 'json' }
  /** A list of Python calls. */
  | { readonly form: 'list' }
  /** `f(a=1)`, `length` characters further on. */
  | { readonly form: 'python'; readonly length: number }
  /** `f{…}` and `f⏎<a>…</a>`: the arguments follow after `length` characters. */
  | { readonly form: 'object' | 'elements'; readonly length: number; readonly tool: string };

/** No head of a call is longer. */
export const HEAD_LIMIT = 200;

/** What begins at `at`: the head of a call of an offered tool, something else, or more text is needed. */
export function bareHeadAt(
  text: string,
  at: number,
  tools: OfferedTools,
): BareHead | 'no' | 'unclear' {
  if (isProse(text, at)) return 'no';
  // The window counts from the beginning, so that it ends in the same place however the text arrives.
  const window = text.slice(at, at + HEAD_LIMIT);
  const head = headOf(window, tools);
  return head === 'unclear' && window.length === HEAD_LIMIT ? 'no' : head;
}

/** Whether a word and another one stand at `at`: nearly all lines begin like that, and no call does. */
function isProse(text: string, at: number): boolean {
  let end = at;
  while (isNameCode(text.charCodeAt(end))) end++;
  if (text.charCodeAt(end) !== SPACE || end === at) return false;
  return (
    isNameStart(text.charCodeAt(end + 1)) &&
    !RECIPIENT.startsWith(text.slice(at, at + RECIPIENT.length))
  );
}

function headOf(text: string, tools: OfferedTools): BareHead | 'no' | 'unclear' {
  const first = text.charAt(0);
  if (first === '{') return jsonAt(text, tools);
  if (first !== '[') return statementAt(text, 0, tools);
  const at = skipSpace(text, 1);
  const next = text.charAt(at);
  if (next === '') return 'unclear';
  if (next === '{') return jsonAt(text, tools);
  if (next === '(') return tupleAt(text, at, tools);
  const held = text.charAt(skipSpace(text, at + 1));
  if (isQuote(next.charCodeAt(0)) && (held === '{' || held === '')) {
    return held === '' ? 'unclear' : { form: 'json' };
  }
  const head = statementAt(text, at, tools);
  return typeof head === 'object' && head.form === 'python' ? { form: 'list' } : refuse(head);
}

function jsonAt(text: string, tools: OfferedTools): BareHead | 'no' | 'unclear' {
  const verdict = beginsLikeCall(text, 0, tools, true);
  return verdict === 'yes' ? { form: 'json' } : verdict;
}

/** `[('f', {…})]`. */
function tupleAt(text: string, at: number, tools: OfferedTools): BareHead | 'no' | 'unclear' {
  const quoted = /^\(\s*(["'])([^"'\n]*)(["',])?/.exec(text.slice(at));
  if (quoted === null) return text.length < at + 8 ? 'unclear' : 'no';
  if (quoted[3] === undefined) return 'unclear';
  return tools.resolve(quoted[2] ?? '') === undefined ? 'no' : { form: 'json' };
}

/** What may precede a name. */
const RECIPIENT = 'commentary to=';
const PREFIXES = [RECIPIENT, 'call:'] as const;
const PRINT = 'print(';
const ARGUMENTS = '[ARGS]';
/** The text between a recipient and its arguments, without space. */
const CONSTRAINTS = [
  'json',
  '<|constrain|>json',
  'json<|message|>',
  '<|constrain|>json<|message|>',
];

function statementAt(text: string, from: number, tools: OfferedTools): BareHead | 'no' | 'unclear' {
  const rest = text.slice(from);
  if (PREFIXES.some((each) => each !== rest && each.startsWith(rest))) return 'unclear';
  const prefix = PREFIXES.find((each) => rest.startsWith(each)) ?? '';
  let at = from + prefix.length;
  const quote = `'"`.includes(text.charAt(at)) ? text.charAt(at) : '';
  at += quote.length;
  if (text.startsWith(PRINT, at)) {
    const printed = statementAt(text, skipSpace(text, at + PRINT.length), tools);
    return typeof printed === 'object' && printed.form === 'python'
      ? { form: 'python', length: prefix.length }
      : refuse(printed);
  }
  const start = at;
  while (at < text.length && isNameCode(text.charCodeAt(at))) at++;
  const name = text.slice(start, at);
  const next = text.charAt(at);
  if (next === '' && (name === '' || PRINT.startsWith(name))) return 'unclear';
  if (!mayBecomeName(name, tools)) return 'no';
  if (next === '') return 'unclear';
  // `Now.` ends a sentence.
  if (!isWord(text.charCodeAt(at - 1))) return 'no';
  const form = formAt(text, at, quote, prefix);
  if (typeof form === 'string') return form;
  const tool = tools.resolve(unescaped(name).replace(/:\d+$/, ''));
  if (tool === undefined) return 'no';
  if (form.form === 'python') return { form: 'python', length: prefix.length };
  return { ...form, tool };
}

/** What models put before the name of a tool. */
const NAMESPACES = ['functions.', 'default_api.', 'tools.', 'tool.', 'api.'] as const;

/** Whether `beginning` may become the name of a tool: prose is not held until its first word ends. */
function mayBecomeName(beginning: string, tools: OfferedTools): boolean {
  const written = unescaped(beginning);
  if (!isNameStart(written.charCodeAt(0))) return false;
  if (NAMESPACES.some((each) => each.startsWith(written))) return true;
  const name = written.replace(/:\d*$/, '');
  const namespace = NAMESPACES.find((each) => name.startsWith(each)) ?? '';
  // A tool may have been offered under a name that holds the namespace.
  return tools.names.mayBegin(name) || tools.names.mayBegin(name.slice(namespace.length));
}

function unescaped(name: string): string {
  return name.replaceAll('\\_', '_').replace(/\\$/, '');
}

/** What follows the name that ends at `at`. */
function formAt(
  text: string,
  at: number,
  quote: string,
  prefix: string,
): { form: 'python' | 'object' | 'elements'; length: number } | 'no' | 'unclear' {
  const next = text.charAt(at);
  if (next === '(') return { form: 'python', length: 0 };
  if (quote !== '') {
    if (next !== quote) return 'no';
    const after = text.charAt(at + 1);
    return after === '(' ? { form: 'python', length: 0 } : after === '' ? 'unclear' : 'no';
  }
  if (next === '{') return { form: 'object', length: at };
  const rest = text.slice(at, at + ARGUMENTS.length);
  if (rest === ARGUMENTS) return { form: 'object', length: skipSpace(text, at + rest.length) };
  if (ARGUMENTS.startsWith(rest)) return 'unclear';
  const isRecipient = prefix === RECIPIENT;
  const brace = isRecipient ? text.indexOf('{', at) : skipSpace(text, at);
  const end = brace < 0 ? text.length : brace;
  const between = text.slice(at, end);
  if (isRecipient && !isConstraint(between, end === text.length)) return 'no';
  if (end === text.length) return 'unclear';
  if (text.charAt(end) === '{') return { form: 'object', length: end };
  const isElement = text.charAt(end) === '<' && between.includes('\n');
  return isElement ? { form: 'elements', length: end } : 'no';
}

/** Whether `text` says of what kind the arguments are, or may once more of it has come. */
function isConstraint(text: string, mayGrow: boolean): boolean {
  const written = text.replace(/\s/g, '');
  if (written === '') return true;
  return CONSTRAINTS.some((each) => each === written || (mayGrow && each.startsWith(written)));
}

function refuse(head: BareHead | 'no' | 'unclear'): 'no' | 'unclear' {
  return head === 'unclear' ? 'unclear' : 'no';
}

/** A character of a name, of the namespace or number around it, or the backslash that Markdown puts in it. */
function isNameCode(code: number): boolean {
  return (
    isWord(code) ||
    code === 0x2e ||
    code === 0x2d ||
    code === 0x3a ||
    code === 0x2f ||
    code === 0x5c
  );
}
