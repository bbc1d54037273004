import { checkGrowth } from './check-growth.ts';
import { Corpus } from './corpus.ts';
import type { CorpusEntry } from './corpus.ts';
import { EdgeMap, wordsIn } from './edge-map.ts';
import type { EdgeLook } from './edge-map.ts';
import { keyOf, messageOf } from './finding.ts';
import type { Finding } from './finding.ts';
import type { FuzzInput } from './fuzz-input.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { Mutator } from './mutate.ts';
import { SeededRandom } from './seeded-random.ts';
import { shrink } from './shrink.ts';
import type { WatchDog } from './watch-dog.ts';

export interface FuzzLoopOptions {
  readonly seed: number;
  /** The inputs to begin with, besides those of the target. */
  readonly begin: readonly FuzzInput[];
  readonly executions: number;
  /** When to end at the latest, by `performance.now()`. */
  readonly until: number;
  /** Whether what an input did decides what is made of it. Without, this is only chance. */
  readonly isGuided: boolean;
  readonly watchDog: WatchDog | undefined;
}

export interface FuzzReport {
  readonly target: string;
  readonly executions: number;
  readonly seconds: number;
  /** What it took of the processor, with what the machine did besides left out. */
  readonly cpuSeconds: number;
  /** Branches taken, wherever they are. */
  readonly edges: number;
  /** Branches with how often they were taken. */
  readonly features: number;
  /** Of the target's own sources. */
  readonly ownEdges: number;
  readonly ownBranches: number;
  readonly corpus: readonly CorpusEntry[];
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<string, number>>;
}

const MAX_LENGTH = 400;
/** Something that is wrong in so many ways is looked at before it is run on. */
const MOST_FINDINGS = 8;
const SHRINK_TRIES = 3000;
const GROWTH_TRIES = 12;
const TRIM_TRIES = 40;
/** Every so many new inputs one is made long; the most expensive ones always are. */
const GROWTH_EVERY = 8;
/** How often a seed is made something of, in words and characters of chance. */
const FRESH_EVERY = 40;

/** Looks for an input that breaks a law of the target. */
export class FuzzLoop {
  readonly #target: FuzzTarget;
  readonly #options: FuzzLoopOptions;
  readonly #random: SeededRandom;
  readonly #edges = new EdgeMap();
  readonly #corpus = new Corpus();
  readonly #findings = new Map<string, Finding>();
  #executions = 0;
  #mostStepsPerCharacter = 0;

  constructor(target: FuzzTarget, options: FuzzLoopOptions) {
    this.#target = target;
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
  }

  async run(): Promise<FuzzReport> {
    const started = performance.now();
    const cpu = process.cpuUsage();
    for (const seed of this.#seeds()) {
      if (this.#isOver()) break;
      await this.#try(seed, false);
    }
    const { sources, words, maxLength = MAX_LENGTH } = this.#target;
    const dictionary = [...new Set([...words, ...wordsIn(sources)])];
    const mutator = new Mutator(this.#random, dictionary, maxLength);
    while (!this.#isOver()) await this.#try(this.#make(mutator), true);
    this.#options.watchDog?.rest();
    const own = this.#edges.within(sources);
    const { user, system } = process.cpuUsage(cpu);
    return {
      target: this.#target.name,
      executions: this.#executions,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (user + system) / 1e6,
      edges: this.#edges.edges,
      features: this.#edges.features,
      ownEdges: own.taken,
      ownBranches: own.all,
      corpus: this.#corpus.minimised(),
      findings: [...this.#findings.values()],
      counts: { ...this.#target.counts },
    };
  }

  #seeds(): readonly FuzzInput[] {
    return [{ text: '', choice: 0 }, ...this.#target.seeds, ...this.#options.begin];
  }

  #make(mutator: Mutator): FuzzInput {
    const random = this.#random;
    if (random.oneIn(FRESH_EVERY)) return mutator.fresh();
    const { isGuided } = this.#options;
    const pick = (): FuzzInput =>
      (isGuided ? this.#corpus.pick(random) : random.pick(this.#seeds())) ?? NOTHING;
    return mutator.mutate(pick(), pick());
  }

  #isOver(): boolean {
    const { executions, until } = this.#options;
    if (this.#executions >= executions || this.#findings.size >= MOST_FINDINGS) return true;
    // The clock costs more than many an input.
    return this.#executions % 16 === 0 && performance.now() > until;
  }

  /** Runs an input, and keeps it when it did something new. */
  async #try(input: FuzzInput, trims: boolean): Promise<void> {
    const look = await this.#execute(input);
    if (look === undefined || !this.#options.isGuided) {
      this.#edges.add(look?.isNew === true ? this.#edges.current() : []);
      return;
    }
    if (!look.isNew) return;
    const features = this.#edges.current();
    const fresh = this.#edges.add(features);
    const kept = trims && input.text.length > 8 ? await this.#trim(input, fresh) : input;
    if (kept !== input) {
      await this.#execute(kept);
      const now = this.#edges.current();
      this.#edges.add(now);
      this.#corpus.add(kept, now);
    } else this.#corpus.add(input, features);
    await this.#grow(kept, look);
  }

  /** A shorter input that still does what was new. */
  #trim(input: FuzzInput, fresh: readonly number[]): Promise<FuzzInput> {
    const doesIt = async (shorter: FuzzInput): Promise<boolean> => {
      if ((await this.#execute({ ...shorter, choice: input.choice })) === undefined) return false;
      const did = new Set(this.#edges.current());
      return fresh.every((feature) => did.has(feature));
    };
    // Which of its options it was is part of what it did.
    return shrink({ ...input, choice: 0 }, doesIt, TRIM_TRIES).then(({ text }) =>
      text === input.text ? input : { text, choice: input.choice },
    );
  }

  async #grow(input: FuzzInput, { steps }: EdgeLook): Promise<void> {
    const perCharacter = steps / (input.text.length + 32);
    const isDearest = perCharacter > this.#mostStepsPerCharacter;
    if (isDearest) this.#mostStepsPerCharacter = perCharacter;
    if (!isDearest && this.#corpus.entries.length % GROWTH_EVERY !== 0) return;
    await this.#ask(input, (long) => checkGrowth(this.#target, long, this.#edges), GROWTH_TRIES);
  }

  /** What the input did; undefined where it is a finding. */
  async #execute(input: FuzzInput): Promise<EdgeLook | undefined> {
    this.#executions++;
    this.#edges.clear();
    const holds = await this.#ask(input, (one) => this.#target.run(one), SHRINK_TRIES);
    return holds ? this.#edges.look() : undefined;
  }

  /** Asks `question` of an input. Where it throws, that is a finding. */
  async #ask(input: FuzzInput, question: Question, tries: number): Promise<boolean> {
    this.#options.watchDog?.begin(input);
    try {
      const running = question(input);
      if (running !== undefined) await running;
      return true;
    } catch (error) {
      const key = keyOf(error);
      if (!this.#findings.has(key)) await this.#note(input, key, error, question, tries);
      return false;
    }
  }

  async #note(
    input: FuzzInput,
    key: string,
    error: unknown,
    question: Question,
    tries: number,
  ): Promise<void> {
    let message = messageOf(error);
    const isStillIt = async (shorter: FuzzInput): Promise<boolean> => {
      this.#options.watchDog?.begin(shorter);
      try {
        await question(shorter);
        return false;
      } catch (again) {
        if (keyOf(again) !== key) return false;
        message = messageOf(again);
        return true;
      }
    };
    const shortest = await shrink(input, isStillIt, tries);
    this.#findings.set(key, { target: this.#target.name, key, message, input: shortest });
  }
}

/** Throws where something does not hold. */
type Question = (input: FuzzInput) => void | Promise<void>;

const NOTHING: FuzzInput = { text: '', choice: 0 };
