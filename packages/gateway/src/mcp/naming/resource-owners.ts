import { matchesPattern } from '../../proxy/upstream/matches-pattern.ts';

/** What a server offers to read: the URIs of its resources, or the templates of such URIs. */
export interface ServerResources {
  readonly server: string;
  readonly uris: readonly string[];
  readonly templates: readonly string[];
}

/**
 * Which server has a resource. URIs are shown as they are, for servers and tools name them to each other; where two
 * servers have the same one, that of the first in order is shown.
 */
export class ResourceOwners {
  /** What is not shown, for the log. */
  readonly notes: readonly string[];
  readonly #uris: ReadonlyMap<string, string>;
  readonly #templates: ReadonlyMap<string, string>;

  constructor(listed: readonly ServerResources[]) {
    const notes: string[] = [];
    this.#uris = firstOwners(
      listed.map(({ server, uris }) => ({ server, texts: uris })),
      notes,
    );
    this.#templates = firstOwners(
      listed.map(({ server, templates }) => ({ server, texts: templates })),
      notes,
    );
    this.notes = notes;
  }

  /** The server whose resource this is: one that lists it, else the first with a template that it can be made from. */
  ownerOf(uri: string): string | undefined {
    const listing = this.#uris.get(uri);
    if (listing !== undefined) return listing;
    for (const [template, server] of this.#templates) {
      if (couldBeMadeFrom(template, uri)) return server;
    }
    return undefined;
  }

  /** The server that is asked for what a template stands for. */
  ownerOfTemplate(template: string): string | undefined {
    return this.#templates.get(template);
  }
}

function firstOwners(
  listed: readonly { readonly server: string; readonly texts: readonly string[] }[],
  notes: string[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const { server, texts } of listed) {
    for (const text of texts) {
      const owner = owners.get(text);
      if (owner === undefined) owners.set(text, server);
      else if (owner !== server) {
        notes.push(
          `${owner} and ${server} both have the resource ${text}; that of ${owner} is shown`,
        );
      }
    }
  }
  return owners;
}

/** Whether the fixed parts of a template are in the URI, in their order. */
function couldBeMadeFrom(template: string, uri: string): boolean {
  return matchesPattern(template.replaceAll(/\{[^{}]*\}/g, '*'), uri);
}
