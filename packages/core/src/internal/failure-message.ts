import { firstIn, isObject, readKey } from './error-layers.ts';
import { messageOf, nameOf, statusOf } from './error-signals.ts';

/** A model has to read it, and a log to keep it. */
const LONGEST_LINE = 2000;

/** One line that says what was thrown, with its cause where the message itself does not have it. */
export function describeFailure(layers: readonly unknown[]): string {
  const error = layers[0];
  if (!isObject(error)) return describePrimitive(error);
  const outer = lineOf(messageOf(error));
  const inner = lineOf(messageOf(readKey(error, 'cause')));
  if (outer === '') return inner || lineOf(firstIn(layers, messageOf)) || withoutMessage(layers);
  return outer.includes(inner) ? outer : oneLine(`${outer}: ${inner}`);
}

function lineOf(text: string | undefined): string {
  return text === undefined ? '' : oneLine(text);
}

/** Without breaks and control characters, which a terminal would obey, and not too long. */
export function oneLine(text: string): string {
  const isCut = text.length > LONGEST_LINE;
  const start = isCut ? text.slice(0, LONGEST_LINE) : text;
  const line = UNCLEAN.test(start) ? start.replace(BREAKS, ' ').trim() : start;
  return isCut ? `${line}…` : line;
}

const BREAKS = /[\s\u0000-\u001f\u007f-\u009f]+/g;
const UNCLEAN = /^\s|\s$|\s{2}|[\u0000-\u001f\u007f-\u009f]|[^\S ]/;

function describePrimitive(value: unknown): string {
  if (typeof value !== 'string') return `${String(value)} was thrown`;
  return oneLine(value) || 'an empty text was thrown';
}

function withoutMessage(layers: readonly unknown[]): string {
  const status = firstIn(layers, statusOf);
  if (status !== undefined) return `HTTP ${status}`;
  const name = nameOf(layers[0]);
  return name === undefined || name === 'Object'
    ? 'something without a message was thrown'
    : `${name} without a message`;
}
