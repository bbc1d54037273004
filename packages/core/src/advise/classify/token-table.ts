import type { FailureType } from '../../internal/failure-types.ts';

/** Lists of tokens by type, as the tables of tokens are written. */
export type TokenLists = Readonly<Partial<Record<FailureType, string>>>;

/** A table of tokens out of lists with spaces between them. A token in two lists is a mistake, and throws. */
export function tokenTable(lists: TokenLists): ReadonlyMap<string, FailureType> {
  const table = new Map<string, FailureType>();
  for (const [type, list] of Object.entries(lists) as [FailureType, string][]) {
    for (const token of list.split(/\s+/)) {
      if (table.has(token)) throw new Error(`${token} is listed twice`);
      table.set(token, type);
    }
  }
  return table;
}
