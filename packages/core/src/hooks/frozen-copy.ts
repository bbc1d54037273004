import { setOwn } from '../internal/set-own.ts';
import type { JsonObject, JsonValue } from '../types.ts';

/** Deeper than any arguments; a walk that went on would run out of stack. */
const MAX_DEPTH = 128;

/**
 * A copy that cannot be changed, so that what an extension does to it reaches nobody. Only plain data is
 * copied: functions, instances and what lies too deep are left out.
 */
export function frozenCopy(object: JsonObject): JsonObject {
  const copied = copy(object, MAX_DEPTH, new Map());
  return copied === undefined ? Object.freeze({}) : (copied as JsonObject);
}

type Copies = Map<object, JsonValue>;

function copy(value: unknown, depth: number, copies: Copies): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return isScalar(value) ? value : undefined;
  // The same object again, or one inside itself.
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) return copyList(value, depth, copies);
  return isPlain(value) ? copyObject(value, depth, copies) : undefined;
}

function copyList(list: readonly unknown[], depth: number, copies: Copies): JsonValue {
  const copied: JsonValue[] = [];
  copies.set(list, copied);
  for (const item of list) copied.push(copy(item, depth - 1, copies) ?? null);
  return Object.freeze(copied);
}

function copyObject(object: object, depth: number, copies: Copies): JsonValue {
  const copied: Record<string, JsonValue> = {};
  copies.set(object, copied);
  for (const [key, member] of Object.entries(object)) {
    const value = copy(member, depth - 1, copies);
    if (value !== undefined) setOwn(copied, key, value);
  }
  return Object.freeze(copied);
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
