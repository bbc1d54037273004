import { firstIn, isObject, readKey } from './error-layers.ts';
import { messageOf, nameOf, READ_CHARACTERS, statusOf } from './error-signals.ts';

/** One line that says what was thrown, with its cause where the message itself does not have it. */
export function describeFailure(layers: readonly unknown[]): string {
  const error = layers[0];
  if (!isObject(error)) return describePrimitive(error);
  const outer = messageOf(error);
  if (outer === undefined) return oneLine(firstIn(layers, messageOf) ?? withoutMessage(layers));
  const inner = messageOf(readKey(error, 'cause'));
  return oneLine(inner === undefined || outer.includes(inner) ? outer : `${outer}: ${inner}`);
}

/** Without breaks and control characters, which a terminal would obey, and not too long for a model. */
export function oneLine(text: string): string {
  const isCut = text.length >= READ_CHARACTERS;
  const start = isCut ? text.slice(0, READ_CHARACTERS) : text;
  const line = start.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return isCut ? `${line}…` : line;
}

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
