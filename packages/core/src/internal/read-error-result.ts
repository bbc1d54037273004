import { firstItems, layersOf, readKey } from './error-layers.ts';
import { READ_CHARACTERS } from './error-signals.ts';
import type { Failure } from './failure-class.ts';
import type { FailureSign } from './failure-codes.ts';
import { oneLine } from './failure-message.ts';
import { signOfStructure } from './failure-signs.ts';
import { signOfCalling, signOfJsonText, signOfMessage } from './failure-wording.ts';
import { makeFailure } from './make-failure.ts';

const MAX_CONTENT = 8;

/** Reads a result that says it is an error. */
export function readErrorResult(value: object): Failure {
  const structured = readKey(value, 'structuredContent');
  const layers = [...layersOf(value), ...(structured === undefined ? [] : layersOf(structured))];
  const text = textOf(value);
  const sign = signOfStructure(layers) ?? signOfText(text);
  // The tool answered, so nothing was aborted on the way to it.
  const failureClass = sign === undefined || sign === 'abort' ? 'tool-error' : sign;
  const message = text === undefined ? 'the tool reported an error' : oneLine(text);
  return makeFailure(failureClass, message, layers, undefined);
}

/**
 * Words about the call are believed anywhere at the beginning. Words that say that the tool is well, because what was
 * asked for is missing or not allowed, are believed only on the line that names the error. Words about timeouts or
 * connections are the tool's own story.
 */
function signOfText(text: string | undefined): FailureSign | undefined {
  if (text === undefined) return undefined;
  const start = text.slice(0, READ_CHARACTERS);
  const sign = signOfCalling(start) ?? signOfJsonText(start);
  if (sign !== undefined) return sign;
  const named = signOfMessage(errorLineOf(text, start));
  return named !== undefined && SAYS_TOOL_IS_WELL.has(named) ? named : undefined;
}

const SAYS_TOOL_IS_WELL: ReadonlySet<FailureSign> = new Set([
  'not-found',
  'auth',
  'invalid-arguments',
] as const);

/** The first line that is not blank; of a Python traceback the last, and JSON as it begins. */
function errorLineOf(text: string, start: string): string {
  const trimmed = start.trimStart();
  if (/^[{[]/.test(trimmed)) return trimmed;
  if (!trimmed.startsWith('Traceback (most recent call last)'))
    return trimmed.split('\n', 1).join('');
  const end = text.slice(-READ_CHARACTERS).trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}

/** The first text of an MCP or Anthropic result, or the message of an object that has one. */
function textOf(value: object): string | undefined {
  const content = readKey(value, 'content');
  const parts = firstItems(content, MAX_CONTENT).map((part) => readKey(part, 'text'));
  const error = readKey(value, 'error');
  const places = [content, ...parts, readKey(value, 'message'), error, readKey(error, 'message')];
  return places.find(isText);
}

/** Control characters alone say nothing. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && oneLine(value) !== '';
}
