/**
 * What extensions keep between runs, one store per conversation. Each extension has a key of its own and
 * leaves the others alone. A `Map` is one; so is any object of the host that can `get` and `set`.
 */
export interface HookData {
  get(key: string): unknown;
  set(key: string, value: unknown): unknown;
}
