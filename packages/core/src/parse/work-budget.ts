import type { Block } from './block.ts';
import type { Candidate } from './grammar.ts';

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

  /**
   * Pays for a block at `offset` that turned out to be text; `rest` is how much text there is from there on.
   * Returns whether the budget lasted. What a look rules out is free, also where too little of the text was
   * there for a look and a reader had to be made.
   */
  spend(
    block: Block,
    offset: number,
    rest: number,
    isRuledOut: (candidate: Candidate) => boolean,
  ): boolean {
    let furthest = 0;
    for (const { candidate, reader, isTooLarge, neededEnd } of block.attempts) {
      // Where it failed says little of how far it looked, if only the end of the text could tell.
      const declinedAt = neededEnd ? rest : reader.endOffset;
      const length = isTooLarge ? candidate.parser.limits.maxCallBytes : declinedAt;
      if (length === 0 || isRuledOut(candidate)) continue;
      // A reader that began costs its making too.
      this.#work += length + ATTEMPT_COST;
      furthest = Math.max(furthest, length);
    }
    // Where nothing was paid nobody asks: with all of the text at hand there would have been no block.
    if (furthest === 0) return true;
    return this.#lasts(offset + furthest);
  }

  /** Pays for what was read beyond a block that was taken, up to `offset`: it is read again. */
  spendBeyond(beyond: number, offset: number): boolean {
    this.#work += beyond;
    return beyond === 0 || this.#lasts(offset);
  }

  #lasts(offset: number): boolean {
    return this.#work <= REREADS_FREE + REREADS_PER_CHARACTER * offset;
  }
}
