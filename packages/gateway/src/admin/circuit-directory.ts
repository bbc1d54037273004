import type { CircuitBreaker } from '@holdfast/core/guard';
import { nearest } from '../cli/nearest.ts';
import { RequestError } from '../http/request-error.ts';
import type { CircuitOwner } from '../fleet/isolations.ts';
import type { EventSource } from '../observe/gateway-event.ts';

export const CIRCUIT_OWNERS: readonly CircuitOwner[] = ['proxy', 'mcp', 'sidecar'];

/** A circuit, and whose it is. */
export interface OwnedCircuit {
  readonly of: CircuitOwner;
  readonly circuit: CircuitBreaker;
}

/** The circuits that each part of the gateway has now. */
export type CircuitSource = () => Iterable<readonly [EventSource, readonly CircuitBreaker[]]>;

/** All circuits of a gateway, by their names. */
export class CircuitDirectory {
  readonly #source: CircuitSource;

  constructor(source: CircuitSource) {
    this.#source = source;
  }

  list(): readonly OwnedCircuit[] {
    return [...this.#source()].flatMap(([source, circuits]) =>
      source === 'gateway' ? [] : circuits.map((circuit) => ({ of: source, circuit })),
    );
  }

  /** The circuits of a name: all that have it, or the first where it is no pattern. */
  named(name: string, of?: string): readonly OwnedCircuit[] {
    const all = this.list().filter((each) => of === undefined || each.of === of);
    const found = all.filter(({ circuit }) => circuit.name === name);
    return name.includes('*') ? found : found.slice(0, 1);
  }

  /** The circuit of a name; of several, that of `of`, or the first. Throws a `RequestError` that names the nearest. */
  find(name: string, of?: string): OwnedCircuit {
    const [found] = this.named(name, of);
    if (found !== undefined) return found;
    const all = this.list().filter((each) => of === undefined || each.of === of);
    const near = nearNames(
      name,
      all.map(({ circuit }) => circuit.name),
    );
    const told = name.length > 60 ? `${name.slice(0, 60)}…` : name;
    const hint =
      all.length === 0
        ? 'none was used yet'
        : near.length === 0
          ? `there are ${all.length}`
          : `did you mean ${near.map((each) => JSON.stringify(each)).join(' or ')}?`;
    const message = `there is no circuit ${JSON.stringify(told)}; ${hint}`;
    throw new RequestError(404, 'not-found', message, { details: { nearest: near } });
  }
}

const MOST_NEAR = 3;

/** Names that are written alike, and those that hold what was written. */
function nearNames(written: string, names: readonly string[]): readonly string[] {
  const alike = nearest(written, names);
  const part = written.toLowerCase();
  const holding = names.filter((name) => part.length > 1 && name.toLowerCase().includes(part));
  return [...new Set([...(alike === undefined ? [] : [alike]), ...holding])].slice(0, MOST_NEAR);
}
