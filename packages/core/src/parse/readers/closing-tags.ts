import type { JsonValue } from '../../types.ts';
import { isJsonObject, NAME_KEYS, ownKey } from '../call-keys.ts';

/** The closing tags that are called like the tools `value` calls: some models end a block so. */
export function closingTagsOf(value: JsonValue | undefined): readonly string[] {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [];
    const key = ownKey(item, NAME_KEYS);
    const name = key === undefined ? undefined : item[key];
    return typeof name === 'string' ? [`</${name}>`] : [];
  });
}
