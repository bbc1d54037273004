import { isWordCharacter, parsePattern, UnsupportedPattern } from './schema-pattern-parser.ts';
import type { CharacterSet, PatternNode } from './schema-pattern-parser.ts';

type Place = 'start' | 'end' | 'boundary' | 'no-boundary';

/** One state: what it takes to pass it, and where it leads. A `split` leads to two. */
type State =
  | { readonly kind: 'set'; readonly set: CharacterSet; readonly next: number }
  | { readonly kind: 'split'; readonly next: number; readonly other: number }
  | { readonly kind: Place; readonly next: number }
  | { readonly kind: 'match' };

const MAX_STATES = 4000;

/**
 * A regular expression that never backtracks: all ways through it are followed at once, so that it costs at
 * most its size times the length of the text, whatever the two say.
 */
export class SchemaPattern {
  readonly #states: State[] = [{ kind: 'match' }];
  readonly #first: number;
  readonly #isAnchored: boolean;

  /** Throws `UnsupportedPattern`. */
  constructor(source: string) {
    const node = parsePattern(source);
    this.#first = this.#compile(node, 0);
    this.#isAnchored = isAnchored(node);
  }

  /** Whether the pattern is found in the text; undefined when it takes more than `maxSteps` to tell. */
  test(text: string, maxSteps: number): boolean | undefined {
    const seen = new Int32Array(this.#states.length).fill(-1);
    let stepsLeft = maxSteps;
    let before = -1;
    let entered = [this.#first];
    for (let at = 0; ;) {
      const code = text.codePointAt(at) ?? -1;
      const after: number[] = [];
      for (let index = entered.pop(); index !== undefined; index = entered.pop()) {
        const state = this.#states[index];
        if (state === undefined || seen[index] === at) continue;
        seen[index] = at;
        if (state.kind === 'match') return true;
        if (--stepsLeft < 0) return undefined;
        if (state.kind === 'split') entered.push(state.other, state.next);
        else if (state.kind !== 'set') {
          if (isAt(state.kind, at, before, code)) entered.push(state.next);
        } else if (code >= 0 && state.set.has(code)) after.push(state.next);
      }
      if (code < 0) return false;
      // A match may begin anywhere, unless it has to begin at the start.
      if (!this.#isAnchored) after.push(this.#first);
      else if (after.length === 0) return false;
      entered = after;
      before = code;
      at += code > 0xffff ? 2 : 1;
    }
  }

  /** Adds the states for a part that is followed by the state `next`; returns the first of them. */
  #compile(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'set':
        return this.#add({ kind: 'set', set: node.set, next });
      case 'sequence':
        return node.parts.reduceRight((behind, part) => this.#compile(part, behind), next);
      case 'choice':
        return node.parts
          .map((part) => this.#compile(part, next))
          .reduce((other, part) => this.#add({ kind: 'split', next: other, other: part }));
      case 'repeat':
        return this.#compileRepeat(node.part, node.min, node.max, next);
      default:
        return this.#add({ kind: node.kind, next });
    }
  }

  #compileRepeat(part: PatternNode, min: number, max: number, next: number): number {
    if (min > MAX_STATES || (max > MAX_STATES && max !== Infinity)) throw tooLarge();
    let first = next;
    if (max === Infinity) {
      first = this.#add({ kind: 'split', next, other: next });
      const body = this.#compile(part, first);
      this.#states[first] = { kind: 'split', next: body, other: next };
    } else {
      for (let left = max - min; left > 0; left--)
        first = this.#add({ kind: 'split', next: this.#compile(part, first), other: next });
    }
    for (let left = min; left > 0; left--) first = this.#compile(part, first);
    return first;
  }

  #add(state: State): number {
    if (this.#states.length >= MAX_STATES) throw tooLarge();
    return this.#states.push(state) - 1;
  }
}

function tooLarge(): UnsupportedPattern {
  return new UnsupportedPattern('it is too large');
}

function isAnchored(node: PatternNode): boolean {
  if (node.kind === 'start') return true;
  if (node.kind === 'choice') return node.parts.every(isAnchored);
  const [first] = node.kind === 'sequence' ? node.parts : [];
  return first !== undefined && isAnchored(first);
}

function isAt(place: Place, at: number, before: number, code: number): boolean {
  switch (place) {
    case 'start':
      return at === 0;
    case 'end':
      return code < 0;
    case 'boundary':
      return isWordCharacter(before) !== isWordCharacter(code);
    case 'no-boundary':
      return isWordCharacter(before) === isWordCharacter(code);
  }
}
