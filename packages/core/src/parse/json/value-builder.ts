import type { JsonValue } from '../../types.ts';
import { setOwn } from '../../internal/set-own.ts';

type Members = Readonly<Record<string, JsonValue>>;
type Container = Record<string, JsonValue> | JsonValue[];

/** A list or object that is still open. */
export interface Frame {
  readonly container: Container;
  readonly isArray: boolean;
  /** The key whose value comes next, or came last. */
  key: string;
  /** `{{` opened it: as many closing braces more belong to it. */
  doubled: number;
  /** It was opened by no bracket: `"name": …` at the top. */
  readonly isImplicit: boolean;
}

/** A number that a double cannot hold, and where it was put. */
interface LostNumber {
  readonly container: Container | undefined;
  readonly key: string | number;
  readonly value: JsonValue;
  readonly digits: string;
}

/** Follows the reading of a document without waiting for its end. */
export interface JsonWatcher {
  /** The object `value` begins as the value of `key`; `builder` knows what stands around it. */
  memberObject(key: string, offset: number, builder: ValueBuilder, value: JsonValue): void;
  memberObjectEnd(endOffset: number, builder: ValueBuilder): void;
}

/** Puts a value together from the inside of a document, one token after the other. */
export class ValueBuilder {
  /** The value so far. */
  root: JsonValue | undefined;
  /** What was put or closed last. */
  lastValue: JsonValue | undefined;
  /** The innermost open list or object. */
  top: Frame | undefined;
  watcher: JsonWatcher | undefined;
  readonly #stack: Frame[] = [];
  readonly #lost: LostNumber[] = [];
  readonly #keys = new Map<string, string>();

  /** How many lists and objects are open. */
  get depth(): number {
    return this.#stack.length;
  }

  /** Whether a bracket is still waiting for its other half. */
  get hasOpenBracket(): boolean {
    return this.#stack.some(({ isImplicit }) => !isImplicit);
  }

  /** The members of the object `levels` around the innermost one, so far; none where that is a list. */
  membersAround(levels: number): Members {
    const container = this.#stack.at(-1 - levels)?.container;
    return container === undefined || Array.isArray(container) ? NO_MEMBERS : container;
  }

  /** The place of what is being read in the innermost list around it; 0 where there is none. */
  get listIndex(): number {
    const list = this.#stack.findLast(({ isArray }) => isArray)?.container;
    return Array.isArray(list) ? list.length - 1 : 0;
  }

  hasOpen(isArray: boolean): boolean {
    return this.#stack.some((frame) => frame.isArray === isArray && !frame.isImplicit);
  }

  open(isArray: boolean, offset: number): void {
    const parent = this.top;
    const container: Container = isArray ? [] : {};
    if (!isArray && parent?.isArray === false)
      this.watcher?.memberObject(parent.key, offset, this, container);
    this.#attach(container);
    this.#push(container, isArray, '', false);
  }

  /** Opens an object at the top that has no braces; `key` is its first key. */
  openImplicit(key: string): void {
    const container: Container = {};
    this.root = container;
    this.#push(container, false, key, true);
  }

  /** Goes on with the object that was closed last. Returns whether there was one. */
  reopenLast(): boolean {
    const { lastValue } = this;
    if (!isObject(lastValue)) return false;
    this.#push(lastValue, false, '', false);
    return true;
  }

  /** `digits` are those of a number that `value` does not hold. */
  put(value: JsonValue, digits?: string): void {
    this.#attach(value);
    this.lastValue = value;
    if (digits === undefined) return;
    const { top } = this;
    const key = Array.isArray(top?.container) ? top.container.length - 1 : (top?.key ?? '');
    this.#lost.push({ container: top?.container, key, value, digits });
  }

  /** Replaces numbers that lost digits by strings of them. Returns whether there are any. */
  keepDigits(): boolean {
    const lost = this.#lost.splice(0);
    for (const { container, key, value, digits } of lost) {
      if (container === undefined) this.root = digits;
      // Of a key that is written twice, the last value counts.
      else if (Array.isArray(container)) container[Number(key)] = digits;
      else if (Object.is(container[key], value)) setOwn(container, String(key), digits);
    }
    return lost.length > 0;
  }

  /** Appends to the string that was put last. */
  joinLast(text: string): void {
    const joined = (typeof this.lastValue === 'string' ? this.lastValue : '') + text;
    const { top } = this;
    if (Array.isArray(top?.container)) top.container.pop();
    this.put(joined);
  }

  /** Closes the innermost list or object. */
  close(endOffset: number): void {
    const frame = this.#stack.pop();
    this.top = this.#stack.at(-1);
    this.lastValue = frame?.container;
    if (frame?.isArray === false) this.watcher?.memberObjectEnd(endOffset, this);
  }

  closeAll(endOffset: number): void {
    while (this.top !== undefined) this.close(endOffset);
  }

  /** How many lists and objects are open up to a list of calls: one at the top, or that of `tool_calls`; 0 for none. */
  get #callListDepth(): number {
    const [root, member] = this.#stack;
    if (root?.isArray === true) return 1;
    return root?.key === 'tool_calls' && member?.isArray === true ? 2 : 0;
  }

  /** Whether what was opened last stands in the arguments of a call. */
  get isInArguments(): boolean {
    return this.#stack.slice(0, -1).some(({ key }) => key === 'arguments');
  }

  /** Whether what was opened last is a list of calls. */
  get isCallList(): boolean {
    return this.top?.isArray === true && this.#callListDepth === this.depth;
  }

  /** Whether what was opened last stands in a list of calls. */
  get isInCallList(): boolean {
    const { depth } = this;
    return depth > 1 && depth <= 3 && this.#callListDepth === depth - 1;
  }

  /** Closes everything but the list of calls around it. Returns whether there is one. */
  closeToCalls(endOffset: number): boolean {
    const kept = this.#callListDepth;
    while (this.depth > kept) this.close(endOffset);
    return kept > 0;
  }

  /**
   * The key as it was first met. V8 has to look a key up among all strings before it can use it; in a list of
   * rows, which repeat their keys, finding the one it has used already is faster.
   */
  #known(key: string): string {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (this.#keys.size < MOST_KEYS) this.#keys.set(key, key);
    return key;
  }

  #push(container: Container, isArray: boolean, key: string, isImplicit: boolean): void {
    this.top = { container, isArray, key, doubled: 0, isImplicit };
    this.#stack.push(this.top);
  }

  #attach(value: JsonValue): void {
    const { top } = this;
    if (top === undefined) this.root = value;
    else if (Array.isArray(top.container)) top.container.push(value);
    else setOwn(top.container, this.#known(top.key), value);
  }
}

const NO_MEMBERS: Members = {};
/** A document with more keys than this hardly repeats them. */
const MOST_KEYS = 64;

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
