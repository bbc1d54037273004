import { writeJson } from '../../internal/exact-json.ts';
import type { JsonValue } from '../../types.ts';

/**
 * JSON on one line, with the spaces that chat templates put behind `,` and `:`. A marker inside a string is
 * written with its first character escaped, so that whoever searches for markers finds only the real ones.
 */
export function jsonText(value: JsonValue, markers: readonly string[] = []): string {
  let text = writeJson(value, ', ', ': ');
  for (const marker of markers) text = text.replaceAll(marker, escaped(marker));
  return text;
}

/** A marker is never part of JSON's own syntax, so wherever it stands, it stands in a string. */
function escaped(marker: string): string {
  return `\\u${marker.charCodeAt(0).toString(16).padStart(4, '0')}${marker.slice(1)}`;
}
