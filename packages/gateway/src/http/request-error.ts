import type { JsonObject } from '@holdfast/core';
import type { TurnErrorKind } from '../proxy/turn/turn-error.ts';

export interface RequestErrorOptions {
  /** Sent with the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** Told as `error.details`. */
  readonly details?: JsonObject | undefined;
  /** Sent in place of the usual body, for clients of another protocol. */
  readonly body?: JsonObject;
}

/** A request that is answered with an error. The message is for the client: it names no secret and no internals. */
export class RequestError extends Error {
  readonly status: number;
  readonly kind: TurnErrorKind;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: JsonObject | undefined;
  readonly body: JsonObject | undefined;

  constructor(
    status: number,
    kind: TurnErrorKind,
    message: string,
    options: RequestErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RequestError';
    this.status = status;
    this.kind = kind;
    this.headers = options.headers ?? {};
    this.details = options.details;
    this.body = options.body;
  }
}
