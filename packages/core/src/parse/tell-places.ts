import type { Attempt, Block } from './block.ts';
import type { CallPlace } from './call-places.ts';
import type { CallTeller } from './call-teller.ts';
import type { RawCall } from './format.ts';
import type { TextTeller } from './text-teller.ts';

/** Tells a block whose calls have text between them: each in its place, and the text, as it was written. */
export function tellPlaces(
  block: Block,
  attempt: Attempt,
  places: readonly CallPlace<RawCall>[],
  raw: string,
  teller: CallTeller,
  told: TextTeller,
): void {
  let at = 0;
  for (const { start, end, calls } of places) {
    if (teller.known(calls).length === 0) {
      teller.tellUnknown(calls, attempt.candidate.parser.name, told.offset + start - at);
      continue;
    }
    told.tell(raw.slice(at, start));
    const source = raw.slice(start, end);
    teller.tellCalls(block, attempt, source, told.offset, calls);
    told.passCalls(source);
    // What was told of the block by another format was taken up or taken back with the first.
    block.told.length = 0;
    at = end;
  }
  told.tell(raw.slice(at));
}
