import { firstItems, layersOf, readKey } from './error-layers.ts';
import { READ_CHARACTERS } from './error-signals.ts';
import type { Failure } from './failure-class.ts';
import type { FailureSign } from './failure-codes.ts';
import { oneLine } from './failure-message.ts';
import { signOfStructure } from './failure-signs.ts';
import { signOfCalling, signOfJsonText } from './failure-wording.ts';
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

/** Words about timeouts or missing files are a tool's own story; only those about the call are believed. */
function signOfText(text: string | undefined): FailureSign | undefined {
  if (text === undefined) return undefined;
  const start = text.slice(0, READ_CHARACTERS);
  return signOfCalling(start) ?? signOfJsonText(start);
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
