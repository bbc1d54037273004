import type { PrefixMode } from '../mcp-config.ts';
import { prefixedName } from './prefixed-name.ts';

/** The names of one kind that a server lists: of its tools, or of its prompts. */
export interface ServerNames {
  readonly server: string;
  readonly names: readonly string[];
}

/** What a server has under a name. */
export interface NamedThing {
  readonly server: string;
  /** As the server has it. */
  readonly name: string;
}

export interface ShownThing extends NamedThing {
  /** As clients see it. */
  readonly shown: string;
}

export interface NamingOptions {
  readonly prefix: PrefixMode;
  /** Between the name of a server and that of what it has. */
  readonly separator: string;
  /** How many servers there are, those that have not told their names yet too: so that names do not change when they do. */
  readonly servers: number;
}

/**
 * What clients call the tools, or the prompts, of all servers. No two have the same name, and a name depends on
 * what is listed but not on when it arrived. The order is that of the servers, and within one its own.
 */
export class ShownNames {
  readonly list: readonly ShownThing[];
  /** What is not shown as one would expect, for the log. */
  readonly notes: readonly string[];
  readonly #byShown: ReadonlyMap<string, ShownThing>;
  readonly #byName: ReadonlyMap<string, ReadonlyMap<string, ShownThing>>;

  constructor(listed: readonly ServerNames[], options: NamingOptions) {
    const notes: string[] = [];
    const things = withoutRepeats(listed, notes);
    this.list = nameApart(things, options, notes);
    this.notes = notes;
    this.#byShown = new Map(this.list.map((thing) => [thing.shown, thing]));
    const byName = new Map<string, Map<string, ShownThing>>();
    for (const thing of this.list) {
      const ofServer = byName.get(thing.server) ?? new Map<string, ShownThing>();
      byName.set(thing.server, ofServer.set(thing.name, thing));
    }
    this.#byName = byName;
  }

  /** What a client means by a name. */
  find(shown: string): NamedThing | undefined {
    return this.#byShown.get(shown);
  }

  /** What clients call something of a server. */
  shownName(server: string, name: string): string | undefined {
    return this.#byName.get(server)?.get(name)?.shown;
  }
}

function withoutRepeats(listed: readonly ServerNames[], notes: string[]): NamedThing[] {
  return listed.flatMap(({ server, names }) => {
    const seen = new Set<string>();
    return names.flatMap((name) => {
      if (seen.has(name)) {
        notes.push(`${server} lists ${JSON.stringify(name)} twice; the first one is shown`);
        return [];
      }
      seen.add(name);
      return [{ server, name }];
    });
  });
}

/**
 * Gives each thing the plainest name that nothing else has. Where several would get the same one, all of them
 * get a longer one: were the first to keep it, a server could take the calls of another by listing earlier.
 */
function nameApart(
  things: readonly NamedThing[],
  { prefix, separator, servers }: NamingOptions,
  notes: string[],
): readonly ShownThing[] {
  const isPrefixed = prefix === 'always' || (prefix === 'auto' && servers > 1);
  const first = isPrefixed ? 1 : 0;
  const steps: number[] = things.map(() => first);
  const nameOf = (thing: NamedThing, step: number): string =>
    step === 0 ? thing.name : prefixedName(thing, separator, HASH_LENGTHS[step - 1] ?? 0);
  const shown = things.map((thing) => nameOf(thing, first));
  for (let step = first; step < HASH_LENGTHS.length; step++) {
    const clashes = sameNames(shown);
    if (clashes.length === 0) break;
    for (const indexes of clashes) {
      const owners = [...new Set(indexes.map((index) => things[index]?.server))];
      const name = JSON.stringify(shown[indexes[0] ?? 0]);
      notes.push(`${name} would be several things of ${owners.join(' and ')}; each is renamed`);
      for (const index of indexes) {
        const thing = things[index];
        if (thing === undefined) continue;
        steps[index] = Math.min((steps[index] ?? first) + 1, HASH_LENGTHS.length);
        shown[index] = nameOf(thing, steps[index] ?? first);
      }
    }
  }
  return things.map((thing, index) => ({ ...thing, shown: shown[index] ?? thing.name }));
}

/** With a prefix, then with more and more of a hash, until nothing else has the name. */
const HASH_LENGTHS = [0, 8, 16, 32] as const;

/** The places of names that are there more than once. */
function sameNames(names: readonly string[]): readonly (readonly number[])[] {
  const places = new Map<string, number[]>();
  for (const [index, name] of names.entries()) {
    const there = places.get(name);
    if (there === undefined) places.set(name, [index]);
    else there.push(index);
  }
  return [...places.values()].filter((there) => there.length > 1);
}
