import { createHash } from 'node:crypto';
import type { JsonValue } from '@holdfast/core';
import type { ListedTool } from '../messages.ts';

/**
 * What stands for all that a model decides by: name, title, description, parameters and hints. The order of keys does
 * not count.
 */
export function pinOf({ name, title, description, inputSchema, annotations }: ListedTool): string {
  const shown = [name, title ?? null, description ?? null, inputSchema, annotations ?? null];
  return createHash('sha256').update(canonical(shown)).digest('hex');
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
