import { maskSecrets } from '@holdfast/core/advise';
import { isObject } from '../../proxy/json/json-fields.ts';

/** Nothing that we keep is nested deeper. */
const MOST_LEVELS = 64;

/** The same JSON with what looks like a secret masked in every string, keys among them. */
export function maskStrings(value: unknown, level = 0): unknown {
  if (typeof value === 'string') return maskSecrets(value);
  if (level === MOST_LEVELS) return null;
  if (Array.isArray(value)) return value.map((item) => maskStrings(item, level + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [maskSecrets(key), maskStrings(item, level + 1)]),
  );
}
