/** What happened in the gateway, as `GET /api/v1/events` tells it. */
export interface LiveEvent {
  readonly type: string;
  readonly seq: number;
  readonly at: string;
  readonly source: string;
  readonly [field: string]: unknown;
}

/** Undefined for what is no event of the gateway. */
export function readLiveEvent(type: string, data: string): LiveEvent | undefined {
  const fields = readObject(data);
  const { seq, at, source } = fields;
  if (typeof seq !== 'number' || typeof at !== 'string') return undefined;
  return { ...fields, type, seq, at, source: typeof source === 'string' ? source : '' };
}

export function readObject(data: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** A field as text; '' where it is none. */
export function textOf(event: LiveEvent, field: string): string {
  const value = event[field];
  return typeof value === 'string' ? value : '';
}

/** A field as a number; undefined where it is none. */
export function numberOf(event: LiveEvent, field: string): number | undefined {
  const value = event[field];
  return typeof value === 'number' ? value : undefined;
}
