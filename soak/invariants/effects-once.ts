import type { ToldCall } from '../clients/mcp-message.ts';
import type { LedgerEntry } from '../world/tool-ledger.ts';
import type { Violations } from './violations.ts';

/** What is known of one call of a tool. */
interface Effect {
  readonly tool: string;
  /** Undefined while there is no answer, or where its client has gone. */
  told: ToldCall['how'] | undefined;
  times: number;
}

/** Tools that may run more than once for one call, as they say so. */
const REPEATABLE = new Set(['look']);

/**
 * A tool that is not idempotent runs at most once for a call; what was told as done was done; what was told as not
 * called was not; nothing runs that nobody called.
 */
export class EffectsOnce {
  readonly #violations: Violations;
  readonly #effects = new Map<string, Effect>();
  /** Those that were not held against what was done yet. */
  #fresh: string[] = [];
  #ran = 0;
  #repeated = 0;

  constructor(violations: Violations) {
    this.#violations = violations;
  }

  /** How often tools ran, and how often one that may be repeated was. */
  get counts(): { readonly ran: number; readonly repeated: number } {
    return { ran: this.#ran, repeated: this.#repeated };
  }

  /** A call is about to be made. */
  begin(id: string, tool: string): void {
    const isNew = !this.#effects.has(id);
    this.#violations.check('effects-once', isNew, () => `the call ${id} is made twice by a client`);
    this.#effects.set(id, { tool, told: undefined, times: 0 });
    this.#fresh.push(id);
  }

  told(id: string, { how, text }: ToldCall): void {
    const effect = this.#effects.get(id);
    if (effect === undefined) return;
    effect.told = how;
    const isRight = how !== 'ok' || text.endsWith(` ${id}`);
    this.#violations.check(
      'effects-once',
      isRight,
      () => `the call ${id} was answered with the result of another: ${text.slice(0, 200)}`,
    );
  }

  /** What the servers wrote down. */
  ran(entries: readonly LedgerEntry[]): void {
    for (const { event, id, tool, server, pid } of entries) {
      if (event !== 'ran' || id === undefined) continue;
      const effect = this.#effects.get(id);
      this.#ran++;
      this.#violations.check(
        'effects-once',
        effect !== undefined,
        () => `${server} ran ${String(tool)} ${id}, which nobody called`,
      );
      if (effect === undefined) continue;
      effect.times++;
      const mayRepeat = REPEATABLE.has(effect.tool);
      if (effect.times > 1 && mayRepeat) this.#repeated++;
      this.#violations.check(
        'effects-once',
        effect.times === 1 || mayRepeat,
        () =>
          `${effect.tool} ran ${effect.times} times for ${id} (now in ${server}, process ${pid})`,
      );
    }
  }

  /** Once all that was asked is answered: holds what was told since the last time against what was done. */
  settle(): void {
    this.#settle(this.#fresh);
    this.#fresh = [];
  }

  /** The same for all of it, as something may have been done late. */
  settleAll(): void {
    this.#settle(this.#effects.keys());
    this.#fresh = [];
  }

  /** For runs without faults, in which nothing comes late. */
  forget(): void {
    this.#effects.clear();
    this.#fresh = [];
  }

  #settle(ids: Iterable<string>): void {
    for (const id of ids) {
      const effect = this.#effects.get(id);
      if (effect === undefined) continue;
      const { tool, told, times } = effect;
      // Of a call that was repeated, only the last attempt may have been refused.
      const mayHaveRun = told !== 'refused' || REPEATABLE.has(tool);
      const isRight = told === 'ok' ? times > 0 : mayHaveRun || times === 0;
      this.#violations.check(
        'effects-once',
        isRight,
        () => `${tool} ${id} was told as ${String(told)}, and ran ${times} times`,
      );
    }
  }
}
