import type { JsonObject } from '@holdfast/core';
import type { ObservedEvent } from './gateway-event.ts';

/** An event as the API tells it: names in snake_case, times in ISO 8601, and null for what there is none of. */
export function eventJson(observed: ObservedEvent): JsonObject {
  return JSON.parse(eventText(observed)) as JsonObject;
}

/** The same as text. Every event is told as one: it is written at once, without an object that would be made for it. */
export function eventText({ seq, at, source, event }: ObservedEvent): string {
  const time = new Date(at).toISOString();
  return `{"seq":${seq},"at":"${time}","source":"${source}",${fieldsOf(event)}}`;
}

function fieldsOf(fields: object): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    text += `${text === '' ? '' : ','}"${snakeCase(name)}":${textOf(name, value)}`;
  }
  return text;
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(name, value) : 'null';
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => textOf(name, item)).join(',')}]`;
  return typeof value === 'object' && value !== null ? `{${fieldsOf(value)}}` : 'null';
}

/** Nobody needs more than a tenth of a millisecond. */
function rounded(name: string, value: number): string {
  return String(name.endsWith('Ms') ? Math.round(value * 10) / 10 : value);
}

/** There are a few dozen names, all of them ours, and they come again and again. */
const known = new Map<string, string>();

/** `openForMs` as `open_for_ms`. */
export function snakeCase(name: string): string {
  let snake = known.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    known.set(name, snake);
  }
  return snake;
}
