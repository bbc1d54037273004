import type { HttpExchange, Route } from './http/http-exchange.ts';

/** What answers requests, and what it holds until it is closed. */
export interface RouteSet {
  readonly routes: readonly Route[];
  /** No more requests will come. Ends those that would never end by themselves, such as streams of news. */
  retire?(): void;
  close(): Promise<void>;
}

/** Routes whose handlers can be replaced while requests run: those end where they began. */
export class LiveRoutes {
  /** What a server is given once. */
  readonly routes: readonly Route[];
  #current: Generation;
  readonly #retired = new Set<Promise<void>>();

  constructor(first: RouteSet) {
    this.#current = new Generation(first);
    this.routes = first.routes.map((route) => ({
      ...route,
      handle: (exchange) => this.#current.run(route, exchange),
    }));
  }

  /** Requests from now on are answered by `next`, which has the same paths. */
  replace(next: RouteSet): void {
    this.#retire();
    this.#current = new Generation(next);
  }

  /** Resolves when all that ever answered is closed. */
  async close(): Promise<void> {
    this.#retire();
    await Promise.all(this.#retired);
  }

  #retire(): void {
    const closed = this.#current.close().finally(() => this.#retired.delete(closed));
    this.#retired.add(closed);
  }
}

/** One set of routes with the requests it is answering. */
class Generation {
  readonly #set: RouteSet;
  #running = 0;
  #onIdle: (() => void) | undefined;

  constructor(set: RouteSet) {
    this.#set = set;
  }

  async run({ method, path }: Route, exchange: HttpExchange): Promise<void> {
    const route = this.#set.routes.find((each) => each.method === method && each.path === path);
    if (route === undefined) throw new TypeError(`no route for ${method} ${path}`);
    this.#running++;
    try {
      await route.handle(exchange);
    } finally {
      this.#running--;
      if (this.#running === 0) this.#onIdle?.();
    }
  }

  async close(): Promise<void> {
    this.#set.retire?.();
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.#set.close();
  }
}
