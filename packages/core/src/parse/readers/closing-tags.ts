import type { JsonValue } from '../../types.ts';
import { isJsonObject, NAME_KEYS, ownKey } from '../call-keys.ts';

/** The closing tags that are called like the tools the last of `values` calls: some models end a block so. */
export function closingTagsOf(values: readonly JsonValue[]): readonly string[] {
  const last = values.at(-1);
  const items = Array.isArray(last) ? (last as readonly JsonValue[]) : [last];
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const key = ownKey(item, NAME_KEYS);
    const name = key === undefined ? undefined : item[key];
    return typeof name === 'string' ? [`</${name}>`] : [];
  });
}
