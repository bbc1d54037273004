import { bodyFrom } from './block.ts';
import type { Attempt, Block } from './block.ts';
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
    for (const attempt of block.attempts) {
      const length = reachOf(attempt, rest);
      if (length === 0 || isRuledOut(attempt.candidate)) continue;
      // A reader that began costs its making too.
      this.#work += length + ATTEMPT_COST;
      furthest = Math.max(furthest, length);
    }
    // Where nothing was paid nobody asks: with all of the text at hand there would have been no block.
    if (furthest === 0) return true;
    return this.#lasts(offset + furthest);
  }

  /**
   * Pays for what was read beyond a block at `offset` that was taken, by the format that has it and by those before
   * it: it is read again.
   */
  spendBeyond(
    block: Block,
    taken: Attempt,
    offset: number,
    rest: number,
    isRuledOut: (candidate: Candidate) => boolean,
  ): boolean {
    const end = bodyFrom(taken.candidate) + taken.reader.endOffset;
    let furthest = 0;
    for (const attempt of block.attempts) {
      const reach = reachOf(attempt, rest);
      if (reach > end && (attempt === taken || !isRuledOut(attempt.candidate))) {
        this.#work += reach - end;
        furthest = Math.max(furthest, reach);
      }
      if (attempt === taken) break;
    }
    return furthest === 0 || this.#lasts(offset + furthest);
  }

  #lasts(offset: number): boolean {
    return this.#work <= REREADS_FREE + REREADS_PER_CHARACTER * offset;
  }
}

/** How far an attempt has read from its opening on, of a text of which there is so much; 0 where it read no body. */
function reachOf({ candidate, reader, isTooLarge, neededEnd }: Attempt, rest: number): number {
  if (isTooLarge) return candidate.parser.limits.maxCallBytes;
  // Where it failed says little of how far it looked, if only the end of the text could tell.
  if (neededEnd) return rest;
  const read = Math.max(reader.endOffset, reader.reach ?? 0);
  return read === 0 ? 0 : bodyFrom(candidate) + read;
}
