import { isObject, readKey } from './error-layers.ts';

const MAX_HEADERS = 200;

/** The headers of the answer that an error came with, wherever a library keeps them. */
export function headersOf(layer: unknown): object | undefined {
  const places = [
    readKey(layer, 'headers'),
    readKey(layer, 'responseHeaders'),
    readKey(readKey(layer, 'response'), 'headers'),
  ];
  return places.find(isObject);
}

/** A header in `Headers`, a `Map` or a plain object in any case of letters. `name` is in small letters. */
export function headerIn(headers: object, name: string): string | undefined {
  try {
    if (headers instanceof Map) return textOf(valueOfAnyCase(headers, name));
    const { get } = headers as { get?: unknown };
    if (typeof get === 'function') return textOf((get as HeaderGetter).call(headers, name));
    return textOf(valueOfAnyCase(Object.entries(headers), name));
  } catch {
    // Headers that cannot be read say nothing.
    return undefined;
  }
}

type HeaderGetter = (this: object, name: string) => unknown;

function valueOfAnyCase(entries: Iterable<readonly [unknown, unknown]>, name: string): unknown {
  let seen = 0;
  for (const [key, value] of entries) {
    if (++seen > MAX_HEADERS) return undefined;
    if (typeof key === 'string' && key.toLowerCase() === name) return value;
  }
  return undefined;
}

/** Node gives a header that came twice as a list; the first is taken. */
function textOf(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' || typeof first === 'number' ? String(first).trim() : undefined;
}
