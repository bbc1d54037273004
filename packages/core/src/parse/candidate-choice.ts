import { fitUtf8 } from '../internal/utf8-length.ts';
import { bodyFrom } from './block.ts';
import type { EngineOptions } from './engine-options.ts';
import type { Candidate } from './grammar.ts';

/** No look reaches further, in bytes, but over space. */
const MOST_LOOKED_AT = 4096;

/** Where an opening stands. */
export interface Place {
  readonly isLineStart: boolean;
  /** Whether nothing but space, reasoning and markup came before. */
  readonly isFirst: boolean;
  /** Whether a call without markup counts there. */
  readonly takesBare: boolean;
}

/** Says which formats get to read what stands at an opening. */
export class CandidateChoice {
  /** What a frame says is for the user is searched for the markup of this parser only. */
  onlyParser: string | undefined;
  readonly #options: EngineOptions;
  /** Whoever asks for reasons gets them from readers, not from a look. */
  readonly #explains: boolean;

  constructor(options: EngineOptions, explains: boolean) {
    this.#options = options;
    this.#explains = explains;
  }

  /** The formats that claim what stands here, best first. */
  claimants(
    candidates: readonly Candidate[],
    { isLineStart, isFirst, takesBare }: Place,
  ): Candidate[] {
    const claimants: Candidate[] = [];
    for (const candidate of candidates) {
      const { at } = candidate.opening;
      if (candidate.format.isBare === true && !takesBare) continue;
      const isHere = at === 'line-start' ? isLineStart : at !== 'text-start' || isFirst;
      if (isHere && this.#isSearchedFor(candidate)) claimants.push(candidate);
    }
    if (isFirst) {
      for (const candidate of this.#options.grammar.textStart) {
        if (candidate.format.isBare === true && !takesBare) continue;
        if (this.#isSearchedFor(candidate)) claimants.push(candidate);
      }
    }
    return claimants;
  }

  /** Adds what may read a bare call from a line, if a look does not rule it out: nearly all lines are prose. */
  addBareLines(claimants: Candidate[], text: string, hit: number): void {
    for (const candidate of this.#options.grammar.lineStart) {
      if (this.#isSearchedFor(candidate) && !this.isRuledOut(candidate, text, hit))
        claimants.push(candidate);
    }
  }

  #isSearchedFor({ parser }: Candidate): boolean {
    return this.onlyParser === undefined || parser.name === this.onlyParser;
  }

  /** Whether a look at what has arrived, as far as a call may reach, tells that this is no body of the format. */
  isRuledOut(candidate: Candidate, text: string, hit: number): boolean {
    const { format, parser } = candidate;
    if (format.declines === undefined) return false;
    const { maxCallBytes } = parser.limits;
    const seen = maxCallBytes < MOST_LOOKED_AT ? cutAt(text, hit, maxCallBytes) : text;
    return format.declines(seen, hit + bodyFrom(candidate), this.#options.tools);
  }

  /** Those of the formats that a look does not rule out, best first. Whoever asks for reasons gets them from readers. */
  plausible(claimants: readonly Candidate[], text: string, hit: number): readonly Candidate[] {
    const { preferred } = this.#options;
    const plausible: Candidate[] = [];
    for (const candidate of claimants) {
      if (this.#explains || !this.isRuledOut(candidate, text, hit)) plausible.push(candidate);
    }
    if (plausible.length < 2) return plausible;
    const rank = ({ parser }: Candidate): number => (parser.name === preferred ? -1 : parser.rank);
    return plausible.sort((one, other) => rank(one) - rank(other));
  }
}

/** `text` without what lies more than so many bytes behind `from`. */
function cutAt(text: string, from: number, maxBytes: number): string {
  const near = text.slice(0, from + maxBytes);
  return near.slice(0, fitUtf8(near, from, maxBytes).end);
}
