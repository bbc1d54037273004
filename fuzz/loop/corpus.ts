import { branchOf } from './edge-map.ts';
import type { FuzzInput } from './fuzz-input.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface CorpusEntry {
  readonly input: FuzzInput;
  /** What it did, as pairs of branch and bucket. */
  readonly features: readonly number[];
}

interface Kept extends CorpusEntry {
  /** How many features it is the shortest input for. */
  owned: number;
  /** How often something was made of it. */
  picked: number;
}

/** The inputs that did something no input before them did. */
export class Corpus {
  readonly #entries: Kept[] = [];
  readonly #owners = new Map<number, Kept>();

  get entries(): readonly CorpusEntry[] {
    return this.#entries;
  }

  add(input: FuzzInput, features: readonly number[]): void {
    const entry: Kept = { input, features, owned: 0, picked: 0 };
    for (const feature of features) {
      const owner = this.#owners.get(feature);
      if (owner !== undefined && owner.input.text.length <= input.text.length) continue;
      if (owner !== undefined) owner.owned--;
      this.#owners.set(feature, entry);
      entry.owned++;
    }
    this.#entries.push(entry);
  }

  /** One to make another of: mostly one that is the shortest for something, and of two the one less used. */
  pick(random: SeededRandom): FuzzInput | undefined {
    let best: Kept | undefined;
    for (let tries = 0; tries < 4; tries++) {
      const entry = random.pick(this.#entries);
      if (entry === undefined) return undefined;
      if (best === undefined || worth(entry) > worth(best)) best = entry;
    }
    if (best !== undefined) best.picked++;
    return best?.input;
  }

  /** The fewest inputs, nearly, that together take all branches that were taken. */
  minimised(): CorpusEntry[] {
    const entries = this.#entries.map(({ input, features }) => ({
      input,
      features: [...new Set(features.map(branchOf))],
    }));
    entries.sort((one, other) => one.input.text.length - other.input.text.length);
    const taken = new Set<number>();
    const chosen = entries.filter(({ features }) => {
      const before = taken.size;
      for (const branch of features) taken.add(branch);
      return taken.size > before;
    });
    return withoutSuperfluous(chosen);
  }
}

function worth({ owned, picked }: Kept): number {
  return (owned > 0 ? 8 : 1) / (1 + picked);
}

/** Leaves out what others do too, the longest first. */
function withoutSuperfluous(entries: readonly CorpusEntry[]): CorpusEntry[] {
  const times = new Map<number, number>();
  for (const { features } of entries)
    for (const feature of features) times.set(feature, (times.get(feature) ?? 0) + 1);
  const kept: CorpusEntry[] = [];
  for (const entry of [...entries].reverse()) {
    if (entry.features.some((feature) => times.get(feature) === 1)) kept.push(entry);
    else for (const feature of entry.features) times.set(feature, (times.get(feature) ?? 1) - 1);
  }
  return kept.reverse();
}
