import type { EngineParser } from './engine-parser.ts';
import type { Candidate } from './grammar.ts';

/** Counts an opening for every parser that claims it, once, however many of its formats do. */
export function countDetections(claimed: readonly Candidate[]): void {
  for (const parser of parsersOf(claimed)) parser.counters.detections++;
}

/** Counts that the parsers found no call: all of them, or those before the one that did. */
export function countFailures(claimed: readonly Candidate[], winner?: EngineParser): void {
  if (claimed[0]?.parser === winner) return;
  for (const parser of parsersOf(claimed)) {
    if (parser === winner) return;
    parser.counters.failures++;
  }
}

function parsersOf(claimed: readonly Candidate[]): readonly EngineParser[] {
  const [only] = claimed;
  if (claimed.length === 1 && only !== undefined) return [only.parser];
  const parsers: EngineParser[] = [];
  for (const { parser } of claimed) if (!parsers.includes(parser)) parsers.push(parser);
  return parsers;
}
