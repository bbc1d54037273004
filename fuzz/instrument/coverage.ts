/** A module that counts its branches. */
export interface CoveredModule {
  /** Its path in the repository. */
  readonly file: string;
  readonly first: number;
  readonly count: number;
  /** The texts that stand in it. */
  readonly words: readonly string[];
}

/** More branches than all sources together have. */
const MOST_BRANCHES = 1 << 17;

/** How often each branch was taken since `clear`. Modules are compiled so that they count here. */
export const counters: Uint32Array = new Uint32Array(MOST_BRANCHES);

const loaded: CoveredModule[] = [];
let end = 0;

/** Called by every module that counts, before anything else in it. */
export function registerModule(
  file: string,
  first: number,
  count: number,
  words: readonly string[],
): void {
  loaded.push({ file, first, count, words });
  end = Math.max(end, first + count);
  if (end > MOST_BRANCHES) throw new Error(`there are more than ${MOST_BRANCHES} branches`);
}

/** The modules loaded so far. None, where the sources were loaded without counters. */
export function coveredModules(): readonly CoveredModule[] {
  return loaded;
}

/** Behind the last counter in use. */
export function branchesEnd(): number {
  return end;
}
