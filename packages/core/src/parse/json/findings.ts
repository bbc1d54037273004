import type { Repair } from '../../types.ts';

/** The repairs that something took, and whether they may have lost or guessed content. */
export interface Damage {
  readonly repairs: readonly Repair[];
  readonly lossy: boolean;
}

/** What is known of a document besides its value: the repairs it took, or why it cannot be read. */
export class Findings implements Damage {
  readonly repairs: Repair[] = [];
  lossy = false;
  /** The damage of each object of a list of calls. */
  readonly items: { readonly repairs: Repair[]; lossy: boolean }[] = [];
  failure = '';
  /** Offset of the character that made it fail. */
  failedAt = 0;
  /** Whether it failed over the limit on nesting. */
  tooDeep = false;
  /** Where a marker first stood inside a string: the string may have lost its closing quote before it. */
  crossedAt = -1;
  /** A brace inside was opened twice: if it is not closed twice, the first may have begun something else. */
  hasDoubledInside = false;
  /** A repair casts doubt on what was read. */
  #isDoubtful = false;

  /** From here on repairs are those of the next call of a list. */
  beginItem(): void {
    const isFirst = this.items.length === 0;
    this.#isDoubtful &&= isFirst;
    this.hasDoubledInside = false;
    this.items.push({ repairs: isFirst ? [...this.repairs] : [], lossy: isFirst && this.lossy });
  }

  /** Whether the call at hand, or the document without calls, took this repair. */
  has(repair: Repair): boolean {
    return this.#own.includes(repair);
  }

  get #own(): Repair[] {
    return this.items.at(-1)?.repairs ?? this.repairs;
  }

  note(repair: Repair): void {
    const own = this.#own;
    if (own.includes(repair)) return;
    own.push(repair);
    const isOpenTwice = this.hasDoubledInside && own.includes('missing-brace');
    if (this.#isDoubtful || isOpenTwice) this.markLossy();
    if (own !== this.repairs && this.repairs.includes(repair)) return;
    if (own !== this.repairs) this.repairs.push(repair);
    // Past a marker only valid JSON shows that the marker really was inside a string.
    if (this.crossedAt >= 0 && repair !== 'raw-control-character')
      this.failure = 'a string holds the end marker';
  }

  markLossy(): void {
    const item = this.items.at(-1);
    if (item !== undefined) item.lossy = true;
    this.lossy = true;
  }

  noteLoss(repair: Repair): void {
    this.note(repair);
    this.markLossy();
  }

  /**
   * Something is there that valid JSON may have, but that is more likely of another object where repairs are needed: a
   * key for the second time, or arguments in arguments.
   */
  doubt(): void {
    this.#isDoubtful = true;
    if (this.#own.length > 0) this.markLossy();
  }

  fail(reason: string, offset: number): void {
    this.failure = reason;
    this.failedAt = offset;
  }
}
