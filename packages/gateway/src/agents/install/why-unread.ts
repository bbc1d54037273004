import type { JsoncNode } from '../../mcp/config/read-jsonc-tree.ts';
import { readJsoncTree } from '../../mcp/config/read-jsonc-tree.ts';
import { isJson } from '../hook/is-json.ts';

/** What people write in JSON files that is no JSON. `editJson` takes all of it, an agent some or none. */
export type JsonExtra = 'a byte order mark' | 'comments' | 'commas behind the last of a list';

/** How an agent reads its settings. */
export interface SettingsReader {
  /** The agent, as its makers write it. */
  readonly title: string;
  readonly reads: readonly JsonExtra[];
}

/** Why an agent reads nothing of a file that `editJson` can edit; undefined where it does. */
export function whyUnread(
  text: string,
  path: string,
  { title, reads }: SettingsReader,
): string | undefined {
  const found = extrasIn(text).filter((extra) => !reads.includes(extra));
  if (found.length === 0) return undefined;
  return `${title} reads no file with ${found.join(' or ')}, and so no hook in ${path}`;
}

function extrasIn(text: string): readonly JsonExtra[] {
  const own = text.replace(/^\uFEFF/, '');
  const isEmpty = own.trim() === '';
  const commas = isEmpty ? [] : lastCommas(readJsoncTree(own));
  // From the back, so that offsets before stay right.
  const plain = commas
    .toSorted((a, b) => b - a)
    .reduce((rest, at) => rest.slice(0, at) + rest.slice(at + 1), own);
  return [
    ...(own === text ? [] : ['a byte order mark' as const]),
    ...(isEmpty || isJson(plain) ? [] : ['comments' as const]),
    ...(commas.length === 0 ? [] : ['commas behind the last of a list' as const]),
  ];
}

/** Where the commas are that have nothing behind them. */
function lastCommas({ members = [] }: JsoncNode): readonly number[] {
  const last = members.at(-1)?.comma;
  return [
    ...members.flatMap(({ node }) => lastCommas(node)),
    ...(last === undefined ? [] : [last]),
  ];
}
