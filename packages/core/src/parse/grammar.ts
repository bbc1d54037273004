import type { EngineParser } from './engine-parser.ts';
import type { Format, Opening } from './format.ts';
import { REASONING_TAGS } from './reasoning-tags.ts';

/** A format's opening and the parser it belongs to. */
export interface Candidate {
  readonly parser: EngineParser;
  readonly format: Format;
  readonly opening: Opening;
}

interface Node {
  readonly next: Map<number, Node>;
  readonly candidates: Candidate[];
  /** Set on the last character of a reasoning tag: what closes the block. */
  closingTag: string | undefined;
}

export interface Match {
  /** All openings that stand here, the shortest first. */
  readonly candidates: readonly Candidate[];
  readonly closingTag: string | undefined;
  /** Length of the reasoning tag. */
  readonly length: number;
}

/**
 * All openings of all formats as one tree. Prose is skipped natively to the next character that can begin
 * one, so the number of formats does not enter its cost.
 */
export class Grammar {
  readonly #root: Node = createNode();
  readonly #firstCharacters: RegExp;

  /** `parsers` best first. */
  constructor(parsers: readonly EngineParser[]) {
    for (const parser of parsers) {
      for (const format of parser.formats) {
        for (const opening of format.openings) {
          this.#insert(opening.text).candidates.push({ parser, format, opening });
        }
      }
    }
    for (const { open, close } of REASONING_TAGS) this.#insert(open).closingTag = close;
    const first = [...this.#root.next.keys()].map(
      (code) => `\\u${code.toString(16).padStart(4, '0')}`,
    );
    this.#firstCharacters = new RegExp(`[${first.join('')}]`, 'g');
  }

  /** What may end the reasoning of a text that begins inside it. */
  get closingTags(): readonly string[] {
    return REASONING_TAGS.map(({ close }) => close);
  }

  /** The next index at or after `from` where an opening may stand, or -1. */
  next(text: string, from: number): number {
    this.#firstCharacters.lastIndex = from;
    return this.#firstCharacters.test(text) ? this.#firstCharacters.lastIndex - 1 : -1;
  }

  /** What stands at `at`; `unclear` while a longer opening may still come. */
  match(text: string, at: number, ending: boolean): Match | 'none' | 'unclear' {
    let node = this.#root;
    let found: Candidate[] | undefined;
    for (let i = at; ; i++) {
      if (i >= text.length) {
        if (!ending && node.next.size > 0) return 'unclear';
        break;
      }
      const next = node.next.get(text.charCodeAt(i));
      if (next === undefined) break;
      node = next;
      if (node.closingTag !== undefined) {
        return { candidates: [], closingTag: node.closingTag, length: i + 1 - at };
      }
      if (node.candidates.length > 0)
        found = found === undefined ? node.candidates : [...found, ...node.candidates];
    }
    return found === undefined ? 'none' : { candidates: found, closingTag: undefined, length: 0 };
  }

  #insert(text: string): Node {
    let node = this.#root;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let next = node.next.get(code);
      if (next === undefined) {
        next = createNode();
        node.next.set(code, next);
      }
      node = next;
    }
    return node;
  }
}

function createNode(): Node {
  return { next: new Map(), candidates: [], closingTag: undefined };
}
