import type { Clock, JsonObject } from '@holdfast/core';
import type { Logger } from '../../log/logger.ts';
import { isObject, listOf } from '../../proxy/json/json-fields.ts';
import type { Connection } from '../upstream/connection.ts';
import type { UpstreamServer } from '../upstream/upstream-server.ts';
import { LIST_RULES } from './list-kinds.ts';
import type { ListKind } from './list-kinds.ts';

/** What a server listed, and how long it said that holds. The same object as long as nothing changed. */
export interface ListSnapshot {
  readonly items: readonly JsonObject[];
  readonly ttlMs?: number;
  readonly cacheScope?: string;
}

export interface ServerListsOptions {
  readonly server: UpstreamServer;
  /** How long a list is waited for before the last good copy is used. */
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const NOTHING: ListSnapshot = Object.freeze({ items: [] });
/** A server whose pages never end is not followed for ever. */
const MAX_PAGES = 100;
const MAX_ITEMS = 10_000;
/** A list that takes longer will not come; the next one who asks begins anew. */
const MAX_FETCH_MS = 60_000;
/** Over HTTP the stream of news may have ended without a word, so a copy is not good for ever. */
const TOLD_OVER_HTTP_MS = 60_000;
/** How often a list is fetched anew because it changed while it was fetched. */
const MAX_TRIES = 3;

interface Kept {
  readonly snapshot: ListSnapshot;
  /** The connection it came over. */
  readonly connection: Connection;
  readonly freshUntil: number;
}

/** The lists of one server, from its last good answers. */
export class ServerLists {
  readonly #server: UpstreamServer;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #kept = new Map<ListKind, Kept>();
  readonly #fetching = new Map<ListKind, Promise<ListSnapshot>>();
  /** A change that comes while a list is fetched makes what is fetched old. */
  readonly #changes = new Map<ListKind, number>();
  /** Whether the server tells of changes on this connection, so that a copy stays good until it does. */
  readonly #told = new WeakMap<Connection, ReadonlySet<string>>();

  constructor({ server, timeoutMs, clock, log }: ServerListsOptions) {
    this.#server = server;
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    this.#log = log.child({ server: server.name });
  }

  /** The last good copy, whatever its age. */
  peek(kind: ListKind): ListSnapshot {
    return this.#kept.get(kind)?.snapshot ?? NOTHING;
  }

  /** From now on changes are told of on this connection, by the names of `ListRule.filter`. */
  trust(connection: Connection, filters: ReadonlySet<string>): void {
    this.#told.set(connection, filters);
  }

  /** Nothing is told on this connection any more. */
  distrust(connection: Connection): void {
    this.#told.delete(connection);
    for (const [kind, kept] of this.#kept) {
      if (kept.connection === connection) this.#kept.set(kind, { ...kept, freshUntil: -Infinity });
    }
  }

  changed(kind: ListKind): void {
    this.#changes.set(kind, (this.#changes.get(kind) ?? 0) + 1);
    const kept = this.#kept.get(kind);
    if (kept !== undefined) this.#kept.set(kind, { ...kept, freshUntil: -Infinity });
  }

  /** The list, within the time a list may take: fresh if it can be, else the last good copy. Never rejects. */
  async get(kind: ListKind): Promise<ListSnapshot> {
    const kept = this.#kept.get(kind);
    if (kept !== undefined && this.#isFresh(kept)) return kept.snapshot;
    const fetching = this.#fetching.get(kind) ?? this.#beginFetch(kind);
    let cancel = (): void => undefined;
    const tooLate = new Promise<ListSnapshot>((resolve) => {
      cancel = this.#clock.setTimer(() => {
        if (this.#server.lines.admit())
          this.#log.warn({ list: kind }, 'the list is late; the last good copy is used');
        resolve(this.peek(kind));
      }, this.#timeoutMs);
    });
    const fetched = fetching.catch((error: unknown) => {
      if (this.#server.lines.admit())
        this.#log.warn({ list: kind, error }, 'the list failed; the last good copy is used');
      return this.peek(kind);
    });
    try {
      return await Promise.race([fetched, tooLate]);
    } finally {
      cancel();
    }
  }

  #isFresh({ connection, freshUntil }: Kept): boolean {
    return connection === this.#server.current && this.#clock.now() < freshUntil;
  }

  #beginFetch(kind: ListKind): Promise<ListSnapshot> {
    const controller = new AbortController();
    const cancel = this.#clock.setTimer(
      () => controller.abort(new Error(`no answer within ${MAX_FETCH_MS / 1000} s`)),
      MAX_FETCH_MS,
      true,
    );
    const fetching = this.#fetch(kind, controller.signal).finally(() => {
      cancel();
      this.#fetching.delete(kind);
    });
    this.#fetching.set(kind, fetching);
    return fetching;
  }

  /** What changed meanwhile is fetched anew: who heard of the change and asks now must not get what was before it. */
  async #fetch(kind: ListKind, signal: AbortSignal, tries = 1): Promise<ListSnapshot> {
    const { capability, filter } = LIST_RULES[kind];
    const connection = await this.#server.connect();
    const before = this.#changes.get(kind) ?? 0;
    const snapshot =
      connection.capabilities[capability] === undefined ? NOTHING : await this.#pages(kind, signal);
    const isChanged = before !== (this.#changes.get(kind) ?? 0);
    if (isChanged && tries < MAX_TRIES) return this.#fetch(kind, signal, tries + 1);
    const isTold = this.#told.get(connection)?.has(filter) === true;
    const toldMs = this.#server.config.via.kind === 'stdio' ? Infinity : TOLD_OVER_HTTP_MS;
    const ttlMs = snapshot === NOTHING || isTold ? toldMs : (snapshot.ttlMs ?? 0);
    const freshUntil = isChanged ? -Infinity : this.#clock.now() + ttlMs;
    const kept = this.#kept.get(kind)?.snapshot;
    const same = kept !== undefined && isSame(kept, snapshot) ? kept : snapshot;
    this.#kept.set(kind, { snapshot: same, connection, freshUntil });
    return same;
  }

  async #pages(kind: ListKind, signal: AbortSignal): Promise<ListSnapshot> {
    const { method, field } = LIST_RULES[kind];
    const items: JsonObject[] = [];
    let cursor: string | undefined;
    let first: JsonObject = {};
    for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const answer = await this.#server.request({ method, params }, { signal });
      if (page === 0) first = answer;
      const listed = answer[field];
      // One by one: what is spread into a call must fit on the stack.
      for (const item of listOf(listed).slice(0, MAX_ITEMS - items.length)) {
        if (isObject(item)) items.push(item);
      }
      const next = answer['nextCursor'];
      if (typeof next !== 'string' || next === cursor) break;
      cursor = next;
    }
    const { ttlMs, cacheScope } = first;
    return {
      items,
      ...(typeof ttlMs === 'number' && { ttlMs }),
      ...(typeof cacheScope === 'string' && { cacheScope }),
    };
  }
}

/** Lists are short and asked for seldom; one that did not change keeps its identity, and all that is made from it. */
function isSame(one: ListSnapshot, other: ListSnapshot): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
