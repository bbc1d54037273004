/** A marker may stand here once more text has come. */
export const UNCLEAR: unique symbol = Symbol('unclear');

export type MarkerMatch =
  | { readonly at: number; readonly marker: string }
  /** No marker; from `at` on one may still be on its way. */
  | { readonly at: number; readonly marker: undefined };

/** Literals that are searched for together. A search costs the length of the text, whatever their number. */
export class MarkerSet {
  /** The longest first, so that one that begins with another is not taken for it. */
  readonly #markers: readonly string[];
  readonly #firstCharacters: RegExp;

  constructor(markers: readonly string[]) {
    this.#markers = [...markers].sort((a, b) => b.length - a.length);
    const first = new Set(markers.map((marker) => marker.charCodeAt(0)));
    const escaped = [...first].map((code) => `\\u${code.toString(16).padStart(4, '0')}`);
    this.#firstCharacters = new RegExp(`[${escaped.join('')}]`, 'g');
  }

  /** The first marker at or after `from`. `ending` says that no more text comes. */
  find(text: string, from: number, ending: boolean): MarkerMatch {
    for (let at = this.#next(text, from); at >= 0; at = this.#next(text, at + 1)) {
      const found = this.at(text, at, ending);
      if (found === UNCLEAR) return { at, marker: undefined };
      if (found !== undefined) return { at, marker: found };
    }
    return { at: text.length, marker: undefined };
  }

  /** The marker that stands at `at`; `UNCLEAR` while a longer one may still come. */
  at(text: string, at: number, ending: boolean): string | typeof UNCLEAR | undefined {
    const available = text.length - at;
    for (const marker of this.#markers) {
      if (text.startsWith(marker, at)) return marker;
      if (!ending && available < marker.length && marker.startsWith(text.slice(at))) return UNCLEAR;
    }
    return undefined;
  }

  #next(text: string, from: number): number {
    this.#firstCharacters.lastIndex = from;
    return this.#firstCharacters.test(text) ? this.#firstCharacters.lastIndex - 1 : -1;
  }
}
