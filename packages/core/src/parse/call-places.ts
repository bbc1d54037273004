/** A part of a text that is calls, and which. */
export interface CallPlace<Call> {
  readonly start: number;
  readonly end: number;
  readonly calls: readonly Call[];
}

/**
 * Where the calls of a whole-text parser stand, by the source it names for each, in order. Several may be
 * written as one. Undefined when it names none, or one that is not there: then they stand for all of the text.
 */
export function findPlaces<Call extends { readonly raw?: string }>(
  text: string,
  calls: readonly Call[],
): readonly CallPlace<Call>[] | undefined {
  const places: { start: number; end: number; calls: Call[] }[] = [];
  for (const call of calls) {
    const { raw = '' } = call;
    if (raw === '') return undefined;
    const last = places.at(-1);
    const start = text.indexOf(raw, last?.end ?? 0);
    if (start >= 0) places.push({ start, end: start + raw.length, calls: [call] });
    else if (last !== undefined && text.slice(last.start, last.end).includes(raw))
      last.calls.push(call);
    else return undefined;
  }
  return places;
}
