import { maskSecrets } from '../../internal/mask-secrets.ts';
import { deadlinesOf } from '../deadlines.ts';
import type { Deadlines } from '../deadlines.ts';
import type { ResolvedEnvironment } from '../guard-environment.ts';
import { StoreOperation } from './store-operation.ts';
import type { OperationListener, OperationWatcher } from './store-operation.ts';

/** So many operations in a row that fail or get no answer mean that the store is away. */
const LOST_AFTER = 2;
/** Of what a store says went wrong, so much is told. */
const MOST_MESSAGE_CHARACTERS = 200;

/** Told when the store is lost and when it is there again. */
export interface LinkOwner {
  lost(): void;
  /** Something that nobody waits for any more is over: the store may be there again. */
  stirred(): void;
  found(): void;
}

/**
 * The way to the store. It waits for no answer longer than it may, knows whether the store is there, and lets no
 * failure out: whoever asks is called back.
 */
export class StoreLink implements OperationWatcher {
  isDegraded = false;
  /** Operations that got no answer in time and none since. */
  unanswered = 0;
  readonly #replica: string;
  readonly #timeoutMs: number;
  readonly #environment: ResolvedEnvironment;
  readonly #owner: LinkOwner;
  readonly #deadlines: Deadlines;
  /** Operations that are waited for. */
  readonly #underWay = new Set<StoreOperation<never>>();
  #whenDone: (() => void) | undefined;
  #lostInRow = 0;
  #reason: string | undefined;

  constructor(
    replica: string,
    timeoutMs: number,
    environment: ResolvedEnvironment,
    owner: LinkOwner,
  ) {
    this.#replica = replica;
    this.#timeoutMs = timeoutMs;
    this.#environment = environment;
    this.#owner = owner;
    this.#deadlines = deadlinesOf(environment.clock);
  }

  /** Why the store is taken for lost. */
  get reason(): string | undefined {
    return this.#reason;
  }

  ask<T>(question: () => Promise<T>, listener: OperationListener<T>): void {
    const now = this.#environment.clock.now();
    const operation = new StoreOperation(now, listener, this, () => {
      this.#ended(operation);
    });
    this.#underWay.add(operation);
    this.#deadlines.add(operation, this.#timeoutMs, now);
    operation.send(question);
  }

  /** When nothing is waited for any more. Every operation is answered, fails or times out. */
  async idle(): Promise<void> {
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenDone = resolve;
    });
  }

  succeeded(): void {
    this.#lostInRow = 0;
  }

  lost(reason: 'timeout' | 'error', cause: unknown): void {
    if (reason === 'timeout') this.unanswered++;
    this.#lostInRow++;
    if (this.isDegraded || this.#lostInRow < LOST_AFTER) return;
    this.isDegraded = true;
    const message =
      reason === 'timeout' ? `no answer within ${this.#timeoutMs} ms` : messageOf(cause);
    this.#reason = message;
    this.#environment.emit?.({ type: 'store-degraded', replica: this.#replica, reason, message });
    this.#owner.lost();
  }

  ended(): void {
    this.unanswered--;
    if (this.isDegraded) this.#owner.stirred();
  }

  /** The store has answered whoever looked after it. */
  recovered(): void {
    if (!this.isDegraded) return;
    this.isDegraded = false;
    this.#reason = undefined;
    this.#environment.emit?.({ type: 'store-recovered', replica: this.#replica });
    this.#owner.found();
  }

  /** Nobody looks after the store any more. */
  close(): void {
    this.isDegraded = false;
  }

  #ended(operation: StoreOperation<never>): void {
    this.#deadlines.remove(operation);
    this.#underWay.delete(operation);
    if (this.#underWay.size > 0) return;
    this.#whenDone?.();
    this.#whenDone = undefined;
  }
}

/** What a store says may name its address, and with it a password. */
function messageOf(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  return maskSecrets(message.slice(0, 10 * MOST_MESSAGE_CHARACTERS)).slice(
    0,
    MOST_MESSAGE_CHARACTERS,
  );
}
