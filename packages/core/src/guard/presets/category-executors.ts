import { InvalidOptionError } from '../../errors.ts';
import type { Circuits } from '../circuits.ts';
import { circuitName } from '../circuits/circuit-names.ts';
import { Executor } from '../executor.ts';
import type { GuardEnvironment } from '../guard-environment.ts';
import type { CategoryOptions } from './resilience-categories.ts';

/** Names of tools may be made up by models: what is kept for them is bounded. */
const MAX_EXECUTORS = 1000;

/** What calls the tools of each category, made once per tool. */
export class CategoryExecutors {
  readonly #circuits: Circuits;
  readonly #environment: GuardEnvironment;
  readonly #categories: ReadonlyMap<string, CategoryOptions>;
  readonly #executors = new Map<string, Map<string, Executor>>();

  constructor(
    circuits: Circuits,
    categories: Readonly<Record<string, CategoryOptions>>,
    { clock, random, onEvent }: GuardEnvironment,
  ) {
    const { environment } = circuits;
    this.#circuits = circuits;
    this.#environment = {
      clock: clock ?? environment.clock,
      random: random ?? environment.random,
      onEvent: onEvent ?? environment.emit,
    };
    this.#categories = new Map(Object.entries(categories));
    // What is wrong with a category shows now, not at the first call.
    for (const category of this.#categories.keys()) this.get(category, undefined);
  }

  get(category: string, given: string | undefined): Executor {
    const tool = circuitName(given === undefined || given === '' ? category : given);
    let ofCategory = this.#executors.get(category);
    const known = ofCategory?.get(tool);
    if (known !== undefined) return known;
    const executor = this.#make(category, tool);
    if (ofCategory === undefined || ofCategory.size >= MAX_EXECUTORS) {
      ofCategory = new Map();
      this.#executors.set(category, ofCategory);
    }
    ofCategory.set(tool, executor);
    return executor;
  }

  #make(category: string, tool: string): Executor {
    const options = this.#categories.get(category);
    if (options === undefined) {
      const expected = `one of ${[...this.#categories.keys()].join(', ')}`;
      throw new InvalidOptionError('category', expected, category);
    }
    const circuits = this.#circuits;
    return new Executor({
      ...this.#environment,
      ...options,
      name: tool,
      // Asked for each call: a circuit may have been forgotten meanwhile, or the tool mapped elsewhere.
      circuits: () => [circuits.get(circuits.circuitOf(tool) ?? category)],
    });
  }
}
