/** Random numbers that a seed decides: xoshiro128**. */
export class SeededRandom {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    // Seeds that differ in one bit must not begin alike: splitmix32.
    let mixed = seed >>> 0;
    for (let at = 0; at < 4; at++) {
      mixed = (mixed + 0x9e3779b9) >>> 0;
      let word = mixed;
      word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
      word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
      this.#state[at] = word ^ (word >>> 15);
    }
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const scrambled = Math.imul(rotate(Math.imul(b, 5), 7), 9);
    const third = c ^ a;
    const fourth = d ^ b;
    state[1] = b ^ third;
    state[0] = a ^ fourth;
    state[2] = third ^ (b << 9);
    state[3] = rotate(fourth, 11);
    return scrambled >>> 0;
  }

  /** 0 to `limit` - 1; 0 where that is nothing. */
  below(limit: number): number {
    return limit <= 1 ? 0 : this.next() % limit;
  }

  /** True one time in `times`. */
  oneIn(times: number): boolean {
    return this.below(times) === 0;
  }

  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[this.below(list.length)];
  }
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
