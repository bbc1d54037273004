import type { EngineParser } from './engine-parser.ts';
import type { Format, Opening, ReasoningEnd } from './format.ts';
import type { Beginnings } from './opening-search.ts';
import { OrphanEnds } from './orphan-end-search.ts';
import { REASONING_TAGS } from './reasoning-tags.ts';

/** A format's opening and the parser it belongs to. */
export interface Candidate {
  readonly parser: EngineParser;
  readonly format: Format;
  readonly opening: Opening;
}

interface Node {
  readonly next: Map<number, Node>;
  /** The one character that may come next and what follows it, where there is only one. */
  only: number;
  onlyNext: Node | undefined;
  readonly candidates: Candidate[];
  /** What a text matches that goes no further than this: the openings on the way here and the one that ends here. */
  match: Match | 'none';
  /** Set on the last character of a reasoning tag: what ends the reasoning. */
  ends: readonly ReasoningEnd[] | undefined;
}

export interface Match {
  /** All openings that stand here, the shortest first. */
  readonly candidates: readonly Candidate[];
  /** What ends the reasoning, where a tag that begins it stands here, and the length of that tag. */
  readonly ends: readonly ReasoningEnd[] | undefined;
  readonly length: number;
  /** Whether the tag is a token nobody writes in prose: then it counts anywhere, not only where a line begins. */
  readonly isToken: boolean;
}

/**
 * All openings of all formats as one tree. Prose is skipped natively to the next character that can begin
 * one, so the number of formats does not enter its cost.
 */
export class Grammar {
  readonly #root: Node = createNode();
  /** Where an opening may stand. */
  readonly beginnings: Beginnings;
  /** Where an opening or a bare call may stand. */
  readonly lineBeginnings: Beginnings;
  /** What reads whatever a text begins with. */
  readonly textStart: readonly Candidate[];
  /** What reads whatever a line begins with. */
  readonly lineStart: readonly Candidate[];
  /** Whether something may begin at the start of a text that could begin nowhere else. */
  readonly looksAtTextStart: boolean = false;
  /** What may end the reasoning of a text that begins inside it. */
  readonly reasoningEnds: readonly ReasoningEnd[];
  /** Those of them that show that a text began in reasoning. */
  readonly orphanEnds: OrphanEnds;

  /** `parsers` best first. */
  constructor(parsers: readonly EngineParser[]) {
    const textStart: Candidate[] = [];
    const lineStart: Candidate[] = [];
    const anywhere = new Set<number>();
    const atLineStart = new Set<number>();
    const tags = new Map(REASONING_TAGS.map(({ open, close }) => [open, close]));
    for (const parser of parsers) {
      for (const format of parser.formats) {
        for (const opening of format.openings) {
          const candidate = { parser, format, opening };
          if (opening.text === '') {
            (opening.at === 'line-start' ? lineStart : textStart).push(candidate);
            this.looksAtTextStart ||= opening.at !== 'line-start';
            continue;
          }
          this.#insert(opening.text).candidates.push(candidate);
          const code = opening.text.charCodeAt(0);
          if (opening.at === undefined || opening.at === 'anywhere' || !isLetter(code))
            anywhere.add(code);
          else if (opening.at === 'line-start') atLineStart.add(code);
          else this.looksAtTextStart = true;
        }
        for (const { open, close } of format.reasoning ?? []) tags.set(open, close);
      }
    }
    this.textStart = textStart;
    this.lineStart = lineStart;
    for (const [open, close] of tags) this.#insert(open).ends = [{ text: close }];
    this.reasoningEnds = [...new Set(tags.values())].map((text) => ({ text }));
    this.orphanEnds = new OrphanEnds(this.reasoningEnds);
    for (const open of tags.keys()) {
      const code = open.charCodeAt(0);
      (isLetter(code) ? atLineStart : anywhere).add(code);
    }
    gatherMatches(this.#root, []);
    this.beginnings = { anywhere: anyOf([...anywhere]), atLineStart: tableOf(atLineStart) };
    this.lineBeginnings =
      lineStart.length === 0
        ? this.beginnings
        : { ...this.beginnings, atLineStart: tableOf(new Set([...atLineStart, ...LINE_STARTS])) };
  }

  /** What stands at `at`; `unclear` while a longer opening may still come. */
  match(text: string, at: number, ending: boolean): Match | 'none' | 'unclear' {
    let node = this.#root;
    for (let i = at; ; i++) {
      if (i >= text.length) {
        if (!ending && node.next.size > 0) return 'unclear';
        break;
      }
      const code = text.charCodeAt(i);
      const next = code === node.only ? node.onlyNext : node.next.get(code);
      if (next === undefined) break;
      node = next;
      if (node.ends !== undefined) {
        const isToken = text.startsWith('<|', at);
        return { candidates: [], ends: node.ends, length: i + 1 - at, isToken };
      }
    }
    return node.match;
  }

  #insert(text: string): Node {
    let node = this.#root;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let next = node.next.get(code);
      if (next === undefined) {
        next = createNode();
        node.next.set(code, next);
        node.only = node.next.size === 1 ? code : -1;
        node.onlyNext = next;
      }
      node = next;
    }
    return node;
  }
}

/** `before` are the openings on the way to `node`. */
function gatherMatches(node: Node, before: readonly Candidate[]): void {
  const candidates = [...before, ...node.candidates];
  if (candidates.length > 0)
    node.match = { candidates, ends: undefined, length: 0, isToken: false };
  for (const next of node.next.values()) gatherMatches(next, candidates);
}

function createNode(): Node {
  return {
    next: new Map(),
    only: -1,
    onlyNext: undefined,
    candidates: [],
    match: 'none',
    ends: undefined,
  };
}

/** Finds, in one native search, the next of these characters. */
function anyOf(codes: readonly number[]): RegExp {
  const escapes = codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`);
  return new RegExp(`[${escapes.join('')}]`, 'g');
}

/** Which of the letters of ASCII are in `codes`. */
function tableOf(codes: ReadonlySet<number>): readonly boolean[] | undefined {
  return codes.size === 0 ? undefined : Array.from({ length: 128 }, (_, code) => codes.has(code));
}

/** What a bare call on a line begins with, besides the characters that openings begin with. */
const LINE_STARTS: readonly number[] = Array.from({ length: 128 }, (_, code) => code).filter(
  (code) => isLetter(code) || '_[{'.includes(String.fromCharCode(code)),
);

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
