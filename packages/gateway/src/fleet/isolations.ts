import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@holdfast/core';
import type { Circuits } from '@holdfast/core/guard';
import { z } from 'zod';
import type { EventSource } from '../observe/gateway-event.ts';
import type { Logger } from '../log/logger.ts';

/** Which part of the gateway has a circuit. */
export type CircuitOwner = Exclude<EventSource, 'gateway'>;

/** Registers circuits that a person can isolate before they are used. Returns what ends that. */
export type EnlistCircuits = (
  circuits: Circuits,
  accepts?: (name: string) => boolean,
) => () => void;

export interface IsolationsOptions {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where isolations are kept over a restart. Default: nowhere. */
  readonly file?: string | undefined;
  /** Whether a store keeps them for all replicas, so that nothing is remembered here. */
  readonly isShared?: boolean;
}

const OWNER = z.enum(['proxy', 'mcp', 'sidecar']);
const KEPT = z.array(
  z.object({ of: OWNER, name: z.string(), note: z.string(), until: z.number().nullable() }),
);

/** `until` is in milliseconds since 1970; null until it is reset. */
type Kept = z.output<typeof KEPT>[number];

interface Registry {
  readonly of: CircuitOwner;
  readonly circuits: Circuits;
  readonly accepts: (name: string) => boolean;
}

/** The circuits that a person has isolated: they stay isolated over a reload and a restart. */
export class Isolations {
  readonly #options: IsolationsOptions;
  readonly #registries = new Set<Registry>();
  #kept: readonly Kept[];

  constructor(options: IsolationsOptions) {
    this.#options = options;
    this.#kept = options.isShared === true ? [] : this.#read();
  }

  /** For the circuits of one part of the gateway. What was isolated before is isolated at once. */
  of(owner: CircuitOwner): EnlistCircuits {
    return (circuits, accepts = () => true) => {
      const registry = { of: owner, circuits, accepts };
      this.#registries.add(registry);
      const now = this.#options.clock.wallTime();
      for (const { of, name, note, until } of this.#kept) {
        if (of !== owner || !accepts(name) || (until !== null && until <= now)) continue;
        circuits.get(name).isolate(note, until === null ? Infinity : until - now);
      }
      return () => void this.#registries.delete(registry);
    };
  }

  /** The parts whose circuits may have this name. */
  ownersOf(name: string): ReadonlySet<CircuitOwner> {
    const found = [...this.#registries].filter(({ accepts }) => accepts(name));
    return new Set(found.map(({ of }) => of));
  }

  /** Isolates the circuits of this name, used or not. */
  isolate(of: CircuitOwner, name: string, note: string, forMs: number): void {
    for (const registry of this.#registries)
      if (registry.of === of && registry.accepts(name))
        registry.circuits.get(name).isolate(note, forMs);
    const until = forMs === Infinity ? null : this.#options.clock.wallTime() + forMs;
    this.#keep([...this.#without(of, name), { of, name, note, until }]);
  }

  /** The circuit was reset. */
  forget(of: CircuitOwner, name: string): void {
    this.#keep(this.#without(of, name));
  }

  #without(of: CircuitOwner, name: string): readonly Kept[] {
    return this.#kept.filter((each) => each.of !== of || each.name !== name);
  }

  #keep(kept: readonly Kept[]): void {
    const { clock, file, log, isShared } = this.#options;
    if (isShared === true || (kept.length === 0 && this.#kept.length === 0)) return;
    const now = clock.wallTime();
    this.#kept = kept.filter(({ until }) => until === null || until > now);
    if (file === undefined) return;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(`${file}.new`, JSON.stringify(this.#kept), { mode: 0o600 });
      renameSync(`${file}.new`, file);
    } catch (error) {
      log.error(
        { error, file },
        'isolations are not kept over a restart: the file cannot be written',
      );
    }
  }

  #read(): readonly Kept[] {
    const { file, log } = this.#options;
    if (file === undefined) return [];
    try {
      return KEPT.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) log.error({ error, file }, 'isolations of an earlier run cannot be read');
      return [];
    }
  }
}
