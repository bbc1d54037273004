/** Anything with keys: values from outside may be anything. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as a record, empty where it is none. */
export function recordIn(value: unknown): UnknownRecord {
  return isRecord(value) ? value : {};
}
