import { checkOptions, count } from '../internal/check-options.ts';
import { Advisor } from './advisor.ts';
import type { AdvisorOptions } from './advisor-options.ts';
import { checkAdvisorOptions } from './advisor-options.ts';

/** What `Advisors` remember. */
export interface AdvisorsOptions {
  /** Conversations that are remembered; the one that was quiet longest is forgotten first. @defaultValue 1000 */
  readonly maxConversations?: number;
}

/** How many conversations are remembered unless told otherwise. */
export const ADVISORS_DEFAULTS: Readonly<Required<AdvisorsOptions>> = Object.freeze({
  maxConversations: 1000,
});

/** One advisor for each conversation, or for each agent in it: failures of one say nothing about another. */
export class Advisors {
  readonly #advisorOptions: AdvisorOptions;
  readonly #maxConversations: number;
  readonly #advisors = new Map<string, Advisor>();

  constructor(advisorOptions: AdvisorOptions = {}, options: AdvisorsOptions = {}) {
    checkAdvisorOptions(advisorOptions);
    checkOptions(options, { maxConversations: count(1) }, 'advisors');
    this.#advisorOptions = advisorOptions;
    this.#maxConversations = options.maxConversations ?? ADVISORS_DEFAULTS.maxConversations;
  }

  get size(): number {
    return this.#advisors.size;
  }

  /** The advisor of a conversation, a new one if there is none. */
  of(conversationId: string): Advisor {
    const advisor = this.#advisors.get(conversationId) ?? new Advisor(this.#advisorOptions);
    // A map keeps the order of insertion: what was asked for last goes to the end.
    this.#advisors.delete(conversationId);
    this.#advisors.set(conversationId, advisor);
    if (this.#advisors.size > this.#maxConversations)
      for (const oldest of this.#advisors.keys()) {
        this.#advisors.delete(oldest);
        break;
      }
    return advisor;
  }

  /** Forgets a conversation. */
  drop(conversationId: string): boolean {
    return this.#advisors.delete(conversationId);
  }
}
