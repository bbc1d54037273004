import type { Circuit } from '../../api/api-types.ts';

type Owner = Circuit['of'];

const OWNERS: readonly Owner[] = ['proxy', 'mcp', 'sidecar'];

/** A circuit among all, in addresses of the page: two parts of a gateway may have one of the same name. */
export function circuitKey({ of, name }: Pick<Circuit, 'of' | 'name'>): string {
  return `${of}/${name}`;
}

/** What a key is of; one that names no owner is a name. */
export function readCircuitKey(key: string): { readonly of?: Owner; readonly name: string } {
  const of = OWNERS.find((each) => key.startsWith(`${each}/`));
  return of === undefined ? { name: key } : { of, name: key.slice(of.length + 1) };
}

/** Where the API has the circuit of a key; `action` is what is done to it. */
export function circuitPath(key: string, action: '' | '/reset' | '/isolate' = ''): string {
  const { of, name } = readCircuitKey(key);
  const path = `/api/v1/circuits/${encodeURIComponent(name)}${action}`;
  return of === undefined ? path : `${path}?of=${of}`;
}
