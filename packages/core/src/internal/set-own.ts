import type { JsonValue } from '../types.ts';

/** Assigning to `__proto__` would set the prototype; it is data like any other key. */
export function setOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') {
    object[key] = value;
    return;
  }
  Object.defineProperty(object, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
