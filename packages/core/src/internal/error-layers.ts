/** How many layers are looked at: real errors have two to five. */
const MAX_LAYERS = 16;
/** How many of the errors that one error gathers. */
const MAX_GATHERED = 8;

/** Where libraries keep what an error was made of, the nearest to it first. */
const INNER_KEYS = ['error', 'data', 'cause', 'lastError'] as const;

/**
 * An error and what it was made of, the outermost first: bodies of answers, causes, the errors it gathers.
 * Errors come from anywhere, so a circle ends, and what cannot be read is left out.
 */
export function layersOf(error: unknown): readonly unknown[] {
  const layers = [error];
  for (let at = 0; at < layers.length; at++) {
    const layer = layers[at];
    if (!isObject(layer)) continue;
    for (const key of INNER_KEYS) addLayer(layers, readKey(layer, key));
    const response = readKey(layer, 'response');
    addLayer(layers, readKey(response, 'data') ?? readKey(response, 'body'));
    const gathered = readKey(layer, 'errors');
    for (const one of firstItems(gathered, MAX_GATHERED)) addLayer(layers, one);
  }
  return layers;
}

/** Reads a key of whatever it is. A getter or a proxy that throws has nothing there. */
export function readKey(value: unknown, key: string): unknown {
  if (!isObject(value)) return undefined;
  try {
    return (value as Readonly<Record<string, unknown>>)[key];
  } catch {
    return undefined;
  }
}

/** Up to `most` items of a list; none of what is no list. */
export function firstItems(value: unknown, most: number): readonly unknown[] {
  try {
    return Array.isArray(value) ? value.slice(0, most) : [];
  } catch {
    return [];
  }
}

/** Whether it can have keys. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** What the outermost layer that has it says. */
export function firstIn<T>(
  layers: readonly unknown[],
  read: (layer: unknown) => T | undefined,
): T | undefined {
  for (const layer of layers) {
    const found = read(layer);
    if (found !== undefined) return found;
  }
  return undefined;
}

function addLayer(layers: unknown[], inner: unknown): void {
  if (layers.length >= MAX_LAYERS || layers.includes(inner)) return;
  if (isObject(inner) || (typeof inner === 'string' && inner !== '')) layers.push(inner);
}
