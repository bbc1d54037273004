import type { Block } from './block.ts';

/** Characters that may be read again: so many per character of text, and so many in any case. */
const REREADS_PER_CHARACTER = 4;
const REREADS_FREE = 65_536;
/** What making a reader costs, in characters. */
const ATTEMPT_COST = 64;

/**
 * What was read in vain is read again: that is paid from a budget that grows with the text read so far, so
 * that a flood of openings stays linear. It counts places in the text, never what happens to have arrived.
 */
export class WorkBudget {
  #work = 0;

  /** Pays for a block at `offset` that turned out to be text. Returns whether the budget lasted. */
  spend(block: Block, offset: number): boolean {
    let furthest = 0;
    for (const { reader, status } of block.attempts) {
      const length = status === 'declined' ? reader.endOffset : block.maxBytes;
      // An opening that is let go at a look costs nothing; a reader that began costs its making too.
      this.#work += length === 0 ? 0 : length + ATTEMPT_COST;
      furthest = Math.max(furthest, length);
    }
    return this.#work <= REREADS_FREE + REREADS_PER_CHARACTER * (offset + furthest);
  }
}
