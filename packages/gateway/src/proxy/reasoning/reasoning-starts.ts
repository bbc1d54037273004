import type { Clock } from '@holdfast/core';
import type { StartsInReasoning, UpstreamConfig } from '../../config/gateway-config.ts';
import { entryFor } from '../upstream/matches-pattern.ts';
import { opensReasoning } from './opens-reasoning.ts';

/**
 * What a turn showed: it ended reasoning that it did not begin, it ended the reasoning it was read in, it never
 * did, or its text began outside of reasoning.
 */
export type SeenStart = 'orphan-end' | 'inside' | 'unclosed' | 'outside';

/** How the next turn of a model is read. */
export interface ReasoningStart {
  readonly startsInReasoning: StartsInReasoning;
  /** Whether it was not configured, so that a turn may show otherwise. */
  readonly isAssumed: boolean;
}

/** What was learned of a model, for people. */
export interface LearnedStart {
  readonly upstream: string;
  readonly model: string;
  readonly startsInReasoning: StartsInReasoning;
  readonly why: string;
  readonly expiresInMs: number;
}

interface Learned {
  readonly upstream: string;
  readonly model: string;
  readonly startsInReasoning: StartsInReasoning;
  readonly why: string;
  readonly learnedAt: number;
  /** Consecutive turns that began outside of reasoning. */
  readonly outside: number;
}

/** Which models answer inside reasoning that their prompt opened: configured, known by name, or learned. */
export class ReasoningStarts {
  /** In the order of use, the least recent first. */
  readonly #learned = new Map<string, Learned>();
  readonly #clock: Clock;
  readonly #most: number;

  constructor(clock: Clock, most: number = MOST_MODELS) {
    this.#clock = clock;
    this.#most = most;
  }

  startFor(upstream: UpstreamConfig, model: string, byDefault: StartsInReasoning): ReasoningStart {
    const configured = entryFor(upstream.startsInReasoning, model) ?? byDefault;
    if (configured !== 'auto') return { startsInReasoning: configured, isAssumed: false };
    const learned = this.#get(upstream, model);
    const known = opensReasoning(model) ? true : 'auto';
    return { startsInReasoning: learned?.startsInReasoning ?? known, isAssumed: true };
  }

  /** Learns from a complete turn. */
  learn(upstream: UpstreamConfig, model: string, seen: SeenStart): void {
    const learned = this.#get(upstream, model);
    switch (seen) {
      case 'orphan-end':
        this.#put(upstream, model, true, 'an answer ended reasoning that it did not begin');
        break;
      case 'inside':
        if (learned?.startsInReasoning === true) this.#put(upstream, model, true, learned.why);
        break;
      case 'unclosed':
        this.#put(upstream, model, 'auto', 'an answer did not end the reasoning expected of it');
        break;
      case 'outside':
        this.#learnOutside(upstream, model, learned);
        break;
    }
  }

  /** What was learned, the least recently used first. */
  entries(): readonly LearnedStart[] {
    const now = this.#clock.now();
    return [...this.#learned.values()]
      .filter((learned) => learned.outside === 0 && !isExpired(learned, now))
      .map(({ upstream, model, startsInReasoning, why, learnedAt }) => ({
        upstream,
        model,
        startsInReasoning,
        why,
        expiresInMs: learnedAt + LEARNED_FOR_MS - now,
      }));
  }

  /** Forgets what was learned, of one model or of all. Returns how many facts that were. */
  reset(model?: string): number {
    const before = this.entries().length;
    for (const [key, learned] of this.#learned)
      if (model === undefined || learned.model === model) this.#learned.delete(key);
    return before - this.entries().length;
  }

  /** A model may skip its reasoning once; one of a family that always reasons is never believed to. */
  #learnOutside(upstream: UpstreamConfig, model: string, learned: Learned | undefined): void {
    if (opensReasoning(model) || learned?.startsInReasoning === false) return;
    const outside = (learned?.outside ?? 0) + 1;
    if (outside < MIN_OUTSIDE) this.#put(upstream, model, 'auto', '', outside);
    else
      this.#put(upstream, model, false, `${outside} consecutive answers began outside reasoning`);
  }

  #get({ name }: UpstreamConfig, model: string): Learned | undefined {
    const learned = this.#learned.get(keyOf(name, model));
    return learned === undefined || isExpired(learned, this.#clock.now()) ? undefined : learned;
  }

  #put(
    { name }: UpstreamConfig,
    model: string,
    startsInReasoning: StartsInReasoning,
    why: string,
    outside = 0,
  ): void {
    const key = keyOf(name, model);
    const learnedAt = this.#clock.now();
    this.#learned.delete(key);
    this.#learned.set(key, { upstream: name, model, startsInReasoning, why, learnedAt, outside });
    // Clients choose the names of models, which must not fill the memory.
    for (const oldest of this.#learned.keys()) {
      if (this.#learned.size <= this.#most) break;
      this.#learned.delete(oldest);
    }
  }
}

/** A server may be started with another model or template under the same name. */
export const LEARNED_FOR_MS: number = 24 * 3_600_000;

const MIN_OUTSIDE = 3;
const MOST_MODELS = 1_000;

function isExpired({ learnedAt }: Learned, now: number): boolean {
  return now - learnedAt >= LEARNED_FOR_MS;
}

function keyOf(upstream: string, model: string): string {
  return `${upstream}\n${model}`;
}
