import { randomUUID } from 'node:crypto';
import type { Clock, JsonObject } from '@holdfast/core';
import { isObject } from '../../proxy/json/json-fields.ts';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import { assertCanBeAsked } from './can-be-asked.ts';
import { ASK_TIMEOUT_MS } from './legacy-exchange.ts';

/** One of the requests that an exchange is made of: a modern client repeats its request with what it was asked for. */
export interface Leg {
  readonly signal: AbortSignal;
  /** What the client calls the request. */
  readonly requestId?: string | number | undefined;
  /** By what the client tells progress of this request from that of others. */
  readonly progressToken?: string | number | undefined;
  notify(notification: Message): void;
}

interface Ask {
  readonly request: Message;
  readonly resolve: (answer: JsonObject) => void;
}

/** Where exchanges wait while their clients find answers. */
export type WaitingExchanges = Map<string, ModernExchange>;

/** How the state of a waiting exchange is told from that of a server. */
const STATE_PREFIX = 'holdfast:';

/** Whether a client came back to one of our own questions. */
export function isOurState(state: unknown): state is string {
  return typeof state === 'string' && state.startsWith(STATE_PREFIX);
}

/**
 * A request of a client that cannot be asked by requests: what a legacy server asks meanwhile is the answer to
 * the request, the server goes on waiting, and the client comes back with what was asked for.
 */
export class ModernExchange implements Exchange {
  readonly client: ClientView;
  readonly #controller = new AbortController();
  readonly #waiting: WaitingExchanges;
  readonly #clock: Clock;
  readonly #asks = new Map<string, Ask>();
  #leg: Leg | undefined;
  #nextAsk = 1;
  #onAsk: (() => void) | undefined;
  #work: Promise<JsonObject> | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(client: ClientView, waiting: WaitingExchanges, clock: Clock) {
    this.client = client;
    this.#waiting = waiting;
    this.#clock = clock;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get requestId(): string | number | undefined {
    return this.#leg?.requestId;
  }

  get isWaiting(): boolean {
    return this.#leg === undefined;
  }

  /** While the client is asked there is no request that news could belong to. */
  notify(notification: Message): void {
    const leg = this.#leg;
    const { method, params } = notification;
    if (method !== 'notifications/progress') return leg?.notify(notification);
    // The server behind knows only the first leg; each has a token of its own, or wants no progress.
    const progressToken = leg?.progressToken;
    if (progressToken !== undefined) leg?.notify({ method, params: { ...params, progressToken } });
  }

  ask(request: Message, signal: AbortSignal): Promise<JsonObject> {
    assertCanBeAsked(this.client, request.method);
    return new Promise((resolve, reject) => {
      const key = `ask-${this.#nextAsk++}`;
      const giveUp = (): void => {
        this.#asks.delete(key);
        reject(signal.reason instanceof Error ? signal.reason : new Error('nobody waits any more'));
      };
      if (signal.aborted) {
        giveUp();
        return;
      }
      signal.addEventListener('abort', giveUp, { once: true });
      const done = (answer: JsonObject): void => {
        signal.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      this.#asks.set(key, { request, resolve: done });
      this.#onAsk?.();
    });
  }

  /** Does the work of the first leg. Resolves with its result, or with what the client is asked first. */
  run(leg: Leg, work: (exchange: Exchange) => Promise<JsonObject>): Promise<JsonObject> {
    this.#leg = leg;
    this.#work = work(this);
    return this.#follow(leg);
  }

  /** Goes on with what the client came back with. */
  resume(leg: Leg, answers: JsonObject): Promise<JsonObject> {
    this.#stopWaiting?.();
    for (const [key, answer] of Object.entries(answers)) {
      const asked = this.#asks.get(key);
      this.#asks.delete(key);
      asked?.resolve(isObject(answer) ? answer : {});
    }
    return this.#follow(leg);
  }

  async #follow(leg: Leg): Promise<JsonObject> {
    const abort = (): void => this.#controller.abort(leg.signal.reason);
    if (leg.signal.aborted) abort();
    leg.signal.addEventListener('abort', abort, { once: true });
    this.#leg = leg;
    try {
      const asked = new Promise<undefined>((resolve) => {
        this.#onAsk = () => resolve(undefined);
        if (this.#asks.size > 0) resolve(undefined);
      });
      const result = await Promise.race([this.#work, asked]);
      return result ?? this.#question();
    } finally {
      leg.signal.removeEventListener('abort', abort);
      this.#leg = undefined;
      this.#onAsk = undefined;
    }
  }

  #question(): JsonObject {
    const requestState = `${STATE_PREFIX}${randomUUID()}`;
    this.#waiting.set(requestState, this);
    const cancel = this.#clock.setTimer(
      () => {
        this.#waiting.delete(requestState);
        this.#controller.abort(new Error('the client never came back with what it was asked for'));
      },
      ASK_TIMEOUT_MS,
      true,
    );
    this.#stopWaiting = () => {
      cancel();
      this.#waiting.delete(requestState);
    };
    const asked = [...this.#asks].map(([key, { request }]) => [key, request] as const);
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(
        asked.map(([key, { method, params = {} }]) => [key, { method, params }]),
      ),
      requestState,
    };
  }
}
