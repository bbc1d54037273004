/**
 * Counts how often code asks which mutant is active, as it does wherever there is one: a loop that a mutant has
 * made endless asks for ever. It is told so by an error, which costs less than to end the process.
 */
export class WorkMeter {
  #count = 0;
  #limit = Infinity;

  constructor(state) {
    let active;
    Object.defineProperty(state, 'activeMutant', {
      get: () => {
        if (++this.#count > this.#limit) throw new Error('it does not end');
        return active;
      },
      set: (mutant) => {
        active = mutant;
      },
    });
  }

  begin(limit) {
    this.#count = 0;
    this.#limit = limit;
  }

  get count() {
    return this.#count;
  }

  get isExceeded() {
    return this.#count > this.#limit;
  }
}
