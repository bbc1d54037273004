import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { readInvoke } from './invoke-call.ts';
import type { InvokeDialect } from './invoke-dialect.ts';

/** Reads the calls from behind the tag around them, up to the end of that tag. */
export function readInvokeBlock(
  input: ScriptInput,
  dialect: InvokeDialect,
): Script<Declined | undefined> {
  return readInvokes(input, dialect, true, undefined);
}

/**
 * Reads calls that have no tag around them, from behind the first `<invoke`, spelled as in `open`. The
 * tag's end may be there although its beginning is not.
 */
export function readLoneInvokes(
  input: ScriptInput,
  dialect: InvokeDialect,
  open: string,
): Script<Declined | undefined> {
  return readInvokes(input, dialect, false, open);
}

/** `first` is what the first call was opened with, if that was read before. */
function* readInvokes(
  input: ScriptInput,
  dialect: InvokeDialect,
  isWrapped: boolean,
  first: string | undefined,
): Script<Declined | undefined> {
  const { tags } = dialect;
  let open = first;
  for (;;) {
    if (open === undefined) {
      yield* input.skipSpace();
      if ((yield* input.takeAny(tags.wrapperCloses)) !== undefined) return undefined;
      open = yield* input.takeAny(tags.invokeOpens);
      if (open === undefined) {
        if (isWrapped) input.drafts.at(-1)?.note('missing-end-marker');
        return input.stop('no call follows');
      }
    }
    const outcome = yield* readInvoke(input, dialect, open, isWrapped);
    if (outcome === 'block-end') return undefined;
    if (outcome !== 'call') return outcome;
    open = undefined;
  }
}
