import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@holdfast/core';
import { backoffDelay } from '@holdfast/core/guard';
import type { Random } from '@holdfast/core/guard';
import type { TurnRetryConfig } from '../../config/gateway-config.ts';
import { readBounded } from '../read-bounded.ts';
import type { TurnPlan } from '../turn-plan.ts';
import type { TurnRecord } from '../turn-record.ts';
import type { TurnError } from '../turn/turn-error.ts';
import { describeFailure } from './describe-failure.ts';
import { failureOf, whereToAskAgain } from './failure-of.ts';
import { OpenAnswer } from './open-answer.ts';
import { readErrorAnswer } from './read-error-answer.ts';
import type { Admission } from './upstream-guard.ts';
import type { UpstreamWatch, WatchUpstream } from './upstream-watch.ts';
import type { Candidate } from './upstreams.ts';
import { wait } from './wait.ts';

/** What to ask, of whom, and how often. */
export interface AskJob {
  /** In the order in which they are asked. */
  readonly candidates: readonly Candidate[];
  plan(candidate: Candidate): TurnPlan | Promise<TurnPlan>;
  /** Another way to ask the same upstream, after it refused this one; undefined where there is none. */
  replan(plan: TurnPlan, error: TurnError): TurnPlan | Promise<TurnPlan> | undefined;
  readonly retry: TurnRetryConfig;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  /** Told that an upstream was asked and nothing came yet: time to prepare for what will. */
  onAsked(plan: TurnPlan): void;
  /** Told of every attempt that failed. */
  onFailure(candidate: Candidate, error: TurnError): void;
  /** Watches every request. */
  readonly watch?: WatchUpstream;
}

export interface Answered {
  readonly ok: true;
  readonly plan: TurnPlan;
  readonly answer: OpenAnswer;
  readonly headers: IncomingHttpHeaders;
  readonly attempts: number;
  /** How the rest of the answer went, for the circuit, and what was told in it. The first word counts. */
  settle(error?: TurnError, record?: TurnRecord): void;
  /** The client went away, which says nothing of the upstream. */
  release(): void;
}

export interface NotAnswered {
  readonly ok: false;
  /** What was asked last; undefined where nobody could be asked. */
  readonly plan: TurnPlan | undefined;
  readonly error: TurnError;
  readonly attempts: number;
  /** Those of the last response; none where there was none. */
  readonly headers: IncomingHttpHeaders;
}

/**
 * Asks for a turn until an answer begins: one upstream after the other, and all of them again after a pause,
 * as long as attempts, circuits and budgets allow. Once the first byte of an answer is there it is never asked
 * again.
 */
export async function askUpstreams(job: AskJob): Promise<Answered | NotAnswered> {
  return new Asking(job).run();
}

class Asking {
  readonly #job: AskJob;
  /** Those that may be asked, and when at the earliest. */
  readonly #left: Map<Candidate, number>;
  readonly #failed = new Set<Candidate>();
  #attempts = 0;
  /** Of the request that was sent last. */
  #watch: UpstreamWatch | undefined;
  #lastPlan: TurnPlan | undefined;
  #lastError: TurnError | undefined;
  #lastHeaders: IncomingHttpHeaders = {};
  #refusal: TurnError | undefined;

  constructor(job: AskJob) {
    this.#job = job;
    this.#left = new Map(job.candidates.map((candidate) => [candidate, 0]));
  }

  async run(): Promise<Answered | NotAnswered> {
    const { retry, clock, signal } = this.#job;
    for (let round = 1; ; round++) {
      const before = this.#attempts;
      for (const candidate of [...this.#left.keys()]) {
        const answered = await this.#try(candidate);
        if (answered !== undefined) return answered;
      }
      const waitMs = this.#pause(round);
      const isOver = this.#attempts === before || this.#attempts >= retry.maxAttempts;
      if (isOver || waitMs === undefined || waitMs > retry.maxWaitMs) return this.#giveUp();
      await wait(waitMs, clock, signal);
    }
  }

  /** The answer, or that there is none to be had; undefined where the next one may be asked. */
  async #try(candidate: Candidate): Promise<Answered | NotAnswered | undefined> {
    const { retry, clock } = this.#job;
    if (this.#attempts >= retry.maxAttempts) return undefined;
    if (clock.now() < (this.#left.get(candidate) ?? 0)) return undefined;
    const admission = this.#admit(candidate);
    if (admission === undefined) return undefined;
    this.#attempts++;
    let plan: TurnPlan;
    try {
      plan = await this.#job.plan(candidate);
    } catch (error) {
      admission.release();
      throw error;
    }
    return this.#ask(plan, admission);
  }

  async #ask(plan: TurnPlan, admission: Admission): Promise<Answered | NotAnswered | undefined> {
    this.#lastPlan = plan;
    const outcome = await this.#open(plan, admission);
    if (outcome instanceof OpenAnswer) return this.#answered(plan, outcome, admission);
    this.#watch?.ended(outcome);
    const other = await this.#job.replan(plan, outcome);
    if (other !== undefined) return this.#ask(other, admission);
    this.#settle(plan.candidate, admission, outcome);
    this.#lastError = outcome;
    this.#job.onFailure(plan.candidate, outcome);
    const where = whereToAskAgain(outcome);
    if (where === 'nowhere') return this.#giveUp();
    if (where === 'elsewhere') this.#left.delete(plan.candidate);
    else if (outcome.retryAfterMs !== undefined)
      this.#left.set(plan.candidate, this.#job.clock.now() + outcome.retryAfterMs);
    return undefined;
  }

  /** One request counts once against an upstream, however often it is asked: it may be the request that is at fault. */
  #settle(candidate: Candidate, admission: Admission, error: TurnError): void {
    if (error.isLocal === true || (this.#failed.has(candidate) && !admission.isProbe)) {
      admission.release();
      return;
    }
    admission.settle(failureOf(error));
    this.#failed.add(candidate);
  }

  async #open(plan: TurnPlan, admission: Admission): Promise<OpenAnswer | TurnError> {
    const { clock, signal } = this.#job;
    const { upstream } = plan.candidate;
    const { name, url } = upstream.config;
    try {
      const asked = this.#watched(plan);
      const open = (): Promise<OpenAnswer> => OpenAnswer.open(upstream, asked, clock);
      this.#lastHeaders = {};
      const opening = this.#watch === undefined ? open() : this.#watch.run(open);
      this.#job.onAsked(plan);
      const answer = await opening;
      this.#watch?.answered(answer.statusCode);
      this.#lastHeaders = answer.headers;
      if (answer.statusCode < 200 || answer.statusCode > 299)
        return await this.#readRefusal(answer, name);
      if (!answer.isEmpty) return answer;
      answer.close();
      const message = `upstream "${name}" answered ${answer.statusCode} without a single byte`;
      return { kind: 'upstream', message };
    } catch (error) {
      if (signal.aborted) {
        this.#watch?.abandoned();
        admission.release();
        throw error;
      }
      return describeFailure(error, name, url);
    }
  }

  /** What is sent, once it is watched. */
  #watched(plan: TurnPlan): TurnPlan['asked'] {
    const [first] = this.#job.candidates;
    const isFailover = plan.candidate.upstream !== first?.upstream;
    this.#watch = this.#job.watch?.(plan, { attempt: this.#attempts, isFailover });
    if (this.#watch === undefined) return plan.asked;
    return { ...plan.asked, headers: { ...plan.asked.headers, ...this.#watch.headers } };
  }

  async #readRefusal(answer: OpenAnswer, upstream: string): Promise<TurnError> {
    const retryAfter = answer.headers['retry-after'];
    try {
      return readErrorAnswer({
        upstream,
        status: answer.statusCode,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        body: await readBounded(answer, LONGEST_ERROR, 'cut'),
        wallTime: this.#job.clock.wallTime(),
      });
    } finally {
      answer.close();
    }
  }

  #answered(plan: TurnPlan, answer: OpenAnswer, admission: Admission): Answered {
    const watch = this.#watch;
    // Others wait for the verdict of a probe, and a whole answer may take minutes.
    if (admission.isProbe) admission.settle();
    return {
      ok: true,
      plan,
      answer,
      headers: answer.headers,
      attempts: this.#attempts,
      settle: (error, record) => {
        answer.close();
        if (error?.isLocal === true) admission.release();
        else admission.settle(error === undefined ? undefined : failureOf(error));
        watch?.ended(error, record);
      },
      release: () => {
        answer.close();
        admission.release();
        watch?.abandoned();
      },
    };
  }

  #admit({ upstream, shownModel }: Candidate): Admission | undefined {
    const admission = upstream.guard.admit(shownModel);
    if (!('isRefused' in admission)) {
      const last = this.#lastError;
      // What did not reach an upstream is no burden on another one.
      const isFree = last === undefined || last.isLocal === true;
      if (isFree || upstream.guard.affordsRetry(failureOf(last))) return admission;
      admission.release();
      return undefined;
    }
    const { retryAfterMs, reason } = admission;
    if (retryAfterMs >= (this.#refusal?.retryAfterMs ?? Infinity)) return undefined;
    const seconds = Math.ceil(retryAfterMs / 1000);
    const why =
      reason === 'store-lost'
        ? 'takes no requests while the store of circuits is away, and'
        : 'keeps failing and';
    const message = `upstream "${upstream.config.name}" ${why} is not asked for ${shownModel} again for ${seconds} s`;
    this.#refusal = { kind: 'overloaded', message, retryAfterMs };
    return undefined;
  }

  /** How long to wait until one of those that are left may be asked; undefined where none is left. */
  #pause(round: number): number | undefined {
    const { retry, clock, random } = this.#job;
    if (this.#left.size === 0) return undefined;
    const { baseDelayMs: initialDelayMs, maxDelayMs } = retry;
    const settings = { initialDelayMs, maxDelayMs, multiplier: 2, jitter: 'full' } as const;
    const now = clock.now();
    const waits = [...this.#left.values()].map((notBefore) => notBefore - now);
    const patience = waits.filter((ms) => ms > 0);
    // Whoever named a time is asked then and not before; the others after a while that grows.
    return patience.length === waits.length
      ? Math.min(...patience)
      : backoffDelay(round, settings, random);
  }

  #giveUp(): NotAnswered {
    const error = this.#lastError ?? this.#refusal ?? NOBODY;
    return {
      ok: false,
      plan: this.#lastPlan,
      error,
      attempts: this.#attempts,
      headers: this.#lastHeaders,
    };
  }
}

const LONGEST_ERROR = 65_536;
const NOBODY: TurnError = { kind: 'internal', message: 'there was no upstream to ask' };
