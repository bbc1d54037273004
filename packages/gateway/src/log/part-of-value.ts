import type { JsonValue } from '@holdfast/core';

export interface PartOptions {
  /** How many characters the part may have, about. */
  readonly room: number;
  /** Which end of the value is kept. */
  readonly from: 'start' | 'end';
  /** How many characters of a text count, and are kept where the end of the value is. */
  readonly mostText: number;
}

/** One end of a JSON value, copied no further than there is room; `isCut` says whether it is less than all of it. */
export function partOfValue(
  value: JsonValue,
  options: PartOptions,
): { readonly value: JsonValue; readonly isCut: boolean } {
  const part = new Part(options);
  return { value: part.copy(value), isCut: part.isCut };
}

/** What a number or a pair of brackets takes, about. */
const SHORT = 8;

class Part {
  isCut = false;
  readonly #options: PartOptions;
  #room: number;

  constructor(options: PartOptions) {
    this.#options = options;
    this.#room = options.room;
  }

  copy(value: JsonValue): JsonValue {
    if (typeof value === 'string') return this.#text(value);
    this.#room -= SHORT;
    if (typeof value !== 'object' || value === null) return value;
    if (isList(value)) return this.#copies(value, (item) => this.copy(item));
    const entries = this.#copies(Object.entries<JsonValue>(value), ([key, member]) => {
      this.#room -= key.length;
      return [key, this.copy(member)] as const;
    });
    return Object.fromEntries(entries);
  }

  #text(text: string): string {
    const { from, mostText } = this.#options;
    this.#room -= Math.min(text.length, mostText);
    if (from === 'start' || text.length <= mostText) return text;
    this.isCut = true;
    return text.slice(-mostText);
  }

  /** Copies of the members, beginning at the end that is kept, as long as there is room. */
  #copies<Member, Copy>(members: readonly Member[], copy: (member: Member) => Copy): Copy[] {
    const isFromStart = this.#options.from === 'start';
    const copies: Copy[] = [];
    for (let at = 0; at < members.length && this.#room > 0; at++) {
      const member = members[isFromStart ? at : members.length - 1 - at];
      if (member !== undefined) copies.push(copy(member));
    }
    if (copies.length < members.length) this.isCut = true;
    return isFromStart ? copies : copies.reverse();
  }
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
