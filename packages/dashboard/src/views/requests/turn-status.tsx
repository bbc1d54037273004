import type { JSX } from 'preact';
import type { Turn } from '../../api/api-types.ts';
import { inWords } from '../../format/words.ts';

/** How a turn ended, in a word. */
export function TurnStatus({ turn }: { readonly turn: Turn }): JSX.Element {
  const { error, is_aborted: isAborted, status } = turn;
  if (error !== null && error !== undefined) {
    return (
      <span class="chip chip-bad" title={error.message}>
        {inWords(error.kind)} {status}
      </span>
    );
  }
  if (isAborted) return <span class="chip chip-warn">client left</span>;
  return <span class="result-ok">ok</span>;
}
