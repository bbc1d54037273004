import type { Clock } from '@holdfast/core';
import { Advisor, ADVISORS_DEFAULTS } from '@holdfast/core/advise';
import type { AdvisorOptions } from '@holdfast/core/advise';
import { QuietAdvisor } from './quiet-advisor.ts';

/** A conversation that was quiet for so long is over. */
const QUIET_MS = 3_600_000;

/** One conversation: its advisor, and the steps that its model makes. */
export class Conversation {
  readonly advisor: QuietAdvisor;
  usedAt = 0;
  #round = 0;
  #isRoundOpen = false;

  constructor(options: AdvisorOptions) {
    this.advisor = new QuietAdvisor(new Advisor(options));
  }

  /** A call begins: the step it belongs to. Calls that begin before one of them has ended are one step. */
  begin(): number {
    if (!this.#isRoundOpen) this.#round++;
    this.#isRoundOpen = true;
    return this.#round;
  }

  /** A call has ended. */
  end(): void {
    this.#isRoundOpen = false;
  }
}

/** The conversations that go on; the others are forgotten. */
export class Conversations {
  readonly #options: AdvisorOptions;
  readonly #clock: Clock;
  /** In the order of last use. */
  readonly #conversations = new Map<string, Conversation>();

  constructor(options: AdvisorOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  get size(): number {
    return this.#conversations.size;
  }

  /** The conversation of that name; a new one on first use. */
  of(id: string): Conversation {
    const conversation = this.#conversations.get(id) ?? new Conversation(this.#options);
    this.#conversations.delete(id);
    this.#conversations.set(id, conversation);
    conversation.usedAt = this.#clock.now();
    this.#forget(conversation.usedAt);
    return conversation;
  }

  /** The oldest ones, as far as they are over or too many: the order makes it needless to look at the rest. */
  #forget(now: number): void {
    for (const [id, { usedAt }] of this.#conversations) {
      const isOver = now - usedAt > QUIET_MS;
      if (!isOver && this.#conversations.size <= ADVISORS_DEFAULTS.maxConversations) return;
      this.#conversations.delete(id);
    }
  }
}
