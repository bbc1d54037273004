/** JSON that a replica wrote, as it is; undefined where it is none. */
export function readJson(text: string): unknown {
  try {
    // eslint-disable-next-line no-restricted-properties -- Written by a replica, not by a model.
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
