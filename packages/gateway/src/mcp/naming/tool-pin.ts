import { createHash } from 'node:crypto';
import type { JsonValue } from '@holdfast/core';
import type { ListedTool } from '../messages.ts';

/** What stands for all that a model decides by: name, description, parameters and hints. The order of keys does not count. */
export function pinOf({ name, description, inputSchema, annotations }: ListedTool): string {
  const shown = [name, description ?? null, inputSchema, annotations ?? null];
  return createHash('sha256').update(canonical(shown)).digest('hex');
}

/** Whether a tool is what it was: not seen before, the same, or another under the same name. */
export type PinVerdict = 'new' | 'same' | 'changed';

/** Remembers what tools were when they were seen first, so that one that turns into another is noticed. */
export class ToolPins {
  readonly #pins = new Map<string, Map<string, string>>();

  /** Compares a tool with what was seen first, which stays in force until `accept`. */
  see(server: string, tool: ListedTool): PinVerdict {
    const pin = pinOf(tool);
    const known = this.#pins.get(server)?.get(tool.name);
    if (known !== undefined) return known === pin ? 'same' : 'changed';
    this.#set(server, tool.name, pin);
    return 'new';
  }

  /** From now on this is what the tool is. */
  accept(server: string, tool: ListedTool): void {
    this.#set(server, tool.name, pinOf(tool));
  }

  #set(server: string, name: string, pin: string): void {
    const pins = this.#pins.get(server) ?? new Map<string, string>();
    this.#pins.set(server, pins.set(name, pin));
  }
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
