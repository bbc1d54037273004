import { InvalidOptionError } from '../errors.ts';
import { compareHookNames } from './hook-order.ts';
import type { HookPoint } from './hook-point.ts';

interface Entry<E> {
  readonly name: string;
  readonly extension: E;
}

/** The extensions of one point, in order. */
export class HookList<E> {
  readonly #point: HookPoint;
  // Replaced, never changed: a run keeps the extensions it began with.
  #entries: readonly Entry<E>[] = [];

  constructor(point: HookPoint) {
    this.#point = point;
  }

  get entries(): readonly Entry<E>[] {
    return this.#entries;
  }

  add(name: string, extension: E): void {
    if (typeof name !== 'string' || name === '')
      throw new InvalidOptionError('name', 'a string that is not empty', name);
    if (this.#entries.some((entry) => entry.name === name)) {
      const expected = `a name that is not registered at ${this.#point} yet`;
      throw new InvalidOptionError('name', expected, name);
    }
    this.#entries = [...this.#entries, { name, extension }].sort((a, b) =>
      compareHookNames(a.name, b.name),
    );
  }

  /** Returns whether there was one of that name. */
  remove(name: string): boolean {
    const rest = this.#entries.filter((entry) => entry.name !== name);
    const isFound = rest.length < this.#entries.length;
    this.#entries = rest;
    return isFound;
  }
}
