import { createHash } from 'node:crypto';
import { createRandom } from '@holdfast/core/testing';

/** Draws that are the same for the same seed and purpose, whatever others draw meanwhile. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number, purpose: string) {
    const digest = createHash('sha256').update(`${seed} ${purpose}`).digest();
    this.#random = createRandom(digest.readUInt32BE(0));
  }

  /** In [low, high). */
  between(low: number, high: number): number {
    return low + this.#random() * (high - low);
  }

  /** A whole number from `low` to `high`, both of which may come. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[Math.floor(this.#random() * items.length)] ?? items[0];
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => [this.#random(), item] as const)
      .sort(([one], [other]) => one - other)
      .map(([, item]) => item);
  }
}
