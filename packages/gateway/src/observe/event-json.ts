import type { JsonObject, JsonValue } from '@holdfast/core';
import type { ObservedEvent } from './gateway-event.ts';

/** An event as the API tells it: names in snake_case, times in ISO 8601, and null for what there is none of. */
export function eventJson({ seq, at, source, event }: ObservedEvent): JsonObject {
  return { seq, at: new Date(at).toISOString(), source, ...fieldsOf(event) };
}

function fieldsOf(fields: object): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [snakeCase(name), jsonOf(name, value)]),
  );
}

function jsonOf(name: string, value: unknown): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? rounded(name, value) : null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((item) => jsonOf(name, item));
  return typeof value === 'object' ? fieldsOf(value) : null;
}

/** Nobody needs more than a tenth of a millisecond. */
function rounded(name: string, value: number): number {
  return name.endsWith('Ms') ? Math.round(value * 10) / 10 : value;
}

/** There are a few dozen names, and they come again and again. */
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
