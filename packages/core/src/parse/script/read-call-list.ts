import { canGoOn } from './can-go-on.ts';
import type { MarkerSet } from './marker-set.ts';
import type { Declined, Script } from './script.ts';
import type { ScriptInput } from './script-input.ts';

/** Calls that follow one another, each between markers of its own. */
export interface CallList {
  readonly callBegins: MarkerSet;
  /** What ends the list. It may be forgotten. */
  readonly listEnds: MarkerSet;
  /** Reads a call from behind `begin`. */
  readonly readCall: (input: ScriptInput, begin: string) => Script<Declined | undefined>;
}

/** Reads a list from behind its beginning. */
export function* readCallList(input: ScriptInput, list: CallList): Script<Declined | undefined> {
  for (;;) {
    yield* input.skipSpace();
    if ((yield* input.takeAny(list.listEnds)) !== undefined) {
      if (input.drafts.length === 0) input.frame = { kind: 'markup' };
      return undefined;
    }
    const begin = yield* input.takeAny(list.callBegins);
    if (begin === undefined) return input.stop('no call follows');
    const problem = yield* list.readCall(input, begin);
    if (problem !== undefined || !canGoOn(input)) return problem;
  }
}

/** Reads a list whose beginning was left out, from behind the beginning of its first call. */
export function* readLoneCalls(
  input: ScriptInput,
  list: CallList,
  begin: string,
): Script<Declined | undefined> {
  const problem = yield* list.readCall(input, begin);
  if (problem !== undefined || !canGoOn(input)) return problem;
  return yield* readCallList(input, list);
}
