import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import { Redactor } from '../redact/redactor.ts';
import { findOpenRoute } from './find-route.ts';
import type { HostCheck } from './host-check.ts';
import type { Route } from './http-exchange.ts';
import { RequestError } from './request-error.ts';
import { newRequestId } from './request-id.ts';
import { RunningRequests } from './running-requests.ts';
import { serveRequest } from './serve-request.ts';
import type { ServeOptions } from './serve-request.ts';
import { createTokenCheck } from './token-check.ts';

export interface ResponderOptions extends Pick<
  ServeOptions,
  'checkPeer' | 'targetOf' | 'isContinueSent' | 'onLetIn'
> {
  readonly routes: readonly Route[];
  readonly checkHost: HostCheck;
  /** What clients have to show. Default: nothing. */
  readonly token?: string | undefined;
  readonly maxHeaders: number;
  readonly log: Logger;
  /** Default: one that knows the shapes and names of secrets only. */
  readonly redactor?: Redactor | undefined;
  /** Default: the system's. */
  readonly clock?: Clock | undefined;
  /** Default: random. */
  readonly nextId?: (() => string) | undefined;
  /** How long `close` lets running requests go on. */
  readonly shutdownGraceMs: number;
  /** A request is over, while the responder closes. Default: nobody is told. */
  readonly onLateEnd?: () => void;
}

/** What requests that took too long may use to say so to their clients. */
const FAREWELL_MS = 500;

/** Answers requests with routes, whoever listens for them, and keeps to the rules by which they are let in. */
export class Responder {
  readonly #options: ResponderOptions;
  readonly #serving: ServeOptions;
  readonly #clock: Clock;
  readonly #running = new RunningRequests();
  #closing: Promise<void> | undefined;

  constructor(options: ResponderOptions) {
    const { routes, token, clock = systemClock, nextId = newRequestId } = options;
    const { redactor = new Redactor() } = options;
    this.#options = options;
    this.#clock = clock;
    this.#serving = {
      ...options,
      redactor,
      clock,
      nextId,
      checkToken: createTokenCheck(token),
      isOpen: (method, path) => findOpenRoute(routes, method, path) !== undefined,
      isClosing: () => this.#closing !== undefined,
    };
  }

  respond(request: IncomingMessage, response: ServerResponse): void {
    // A framework may hand over what its client has given up by then: nobody would hear of its end.
    if (response.closed) return;
    const controller = new AbortController();
    this.#running.add(controller);
    const closed = new Promise((resolve) => response.once('close', resolve));
    const served = serveRequest(request, response, controller, this.#serving);
    void Promise.all([served, closed]).finally(() => {
      this.#running.delete(controller);
      if (this.#closing !== undefined) this.#options.onLateEnd?.();
    });
  }

  /** Takes no more requests, and resolves when those that run are done or their time is up. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    if (await this.#isSettledWithin(this.#options.shutdownGraceMs)) return;
    this.#running.abortAll(new RequestError(503, 'overloaded', 'the gateway is shutting down'));
    await this.#isSettledWithin(FAREWELL_MS);
  }

  #isSettledWithin(ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.setTimer(() => resolve(false), ms);
      void this.#running.settled().then(() => {
        cancel();
        resolve(true);
      });
    });
  }
}
