import { createHash } from 'node:crypto';
import type { JsonValue } from '@holdfast/core';
import type { ListedTool } from '../messages.ts';

/**
 * A hash of all that a server says of a tool: name, title, description, schemas, annotations, `_meta`, icons, and
 * whatever else it has. The order of keys does not count.
 */
export function pinOf(tool: ListedTool): string {
  return `${VERSION}${hashOf(tool)}`;
}

/** A hash of a text that models read, such as the instructions of a server. */
export function pinOfText(text: string): string {
  return `${VERSION}${hashOf(text)}`;
}

/** Whether a pin of the first version fits: it covered name, title, description, parameters and annotations only. */
export function fitsFirstPin(
  pin: string,
  { name, title, description, inputSchema, annotations }: ListedTool,
): boolean {
  if (pin.startsWith(VERSION)) return false;
  return (
    pin === hashOf([name, title ?? null, description ?? null, inputSchema, annotations ?? null])
  );
}

/** What a pin looks like, of this version or of the first. */
export const PIN_PATTERN = /^(?:2:)?[\da-f]{64}$/;

const VERSION = '2:';

function hashOf(value: JsonValue): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** JSON with keys in order. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) {
    return `[${(value as readonly JsonValue[]).map(canonical).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  const fields = keys.map((key) => {
    const inner = (value as Readonly<Record<string, JsonValue>>)[key];
    return `${JSON.stringify(key)}:${canonical(inner ?? null)}`;
  });
  return `{${fields.join(',')}}`;
}
