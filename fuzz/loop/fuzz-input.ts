/** What a target is given. */
export interface FuzzInput {
  readonly text: string;
  /** 32 bits from which the target takes its options and where it cuts the text. */
  readonly choice: number;
}

/** Takes small numbers out of a choice, always the same ones for the same choice. */
export class Choices {
  #left: number;

  constructor(choice: number) {
    this.#left = choice >>> 0;
  }

  /** 0 to `limit` - 1. */
  below(limit: number): number {
    const taken = this.#left % limit;
    this.#left = Math.floor(this.#left / limit);
    return taken;
  }

  flag(): boolean {
    return this.below(2) === 1;
  }

  of<Item>(first: Item, ...others: readonly Item[]): Item {
    const at = this.below(others.length + 1);
    return at === 0 ? first : (others[at - 1] ?? first);
  }

  /** What is left of it. */
  get rest(): number {
    return this.#left;
  }
}
