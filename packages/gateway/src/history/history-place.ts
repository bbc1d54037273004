/** Where a record stands in the order of all records: by time, then by who wrote it and in which order. */
export interface HistoryPlace {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A run of a gateway. */
  readonly writer: string;
  readonly number: number;
}

const PLACE = /^(\d{1,15})-([0-9a-f]{12})-(\d{1,15})$/;

/** A place as it is told to those who ask for what came before it. */
export function formatPlace({ at, writer, number }: HistoryPlace): string {
  return `${at}-${writer}-${number}`;
}

/** Undefined for what `formatPlace` never writes. */
export function readPlace(text: string): HistoryPlace | undefined {
  const [, at, writer, number] = PLACE.exec(text) ?? [];
  if (at === undefined || writer === undefined || number === undefined) return undefined;
  return { at: Number(at), writer, number: Number(number) };
}

/** Below zero where `one` is older than `other`. */
export function comparePlaces(one: HistoryPlace, other: HistoryPlace): number {
  if (one.at !== other.at) return one.at - other.at;
  if (one.writer !== other.writer) return one.writer < other.writer ? -1 : 1;
  return one.number - other.number;
}
