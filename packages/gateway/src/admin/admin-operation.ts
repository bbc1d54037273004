import type { JsonObject } from '@holdfast/core';
import type { HttpExchange } from '../http/http-exchange.ts';

/** Something that those who operate the gateway can ask of it. */
export interface AdminOperation {
  readonly method: 'GET' | 'POST';
  /** The whole path; `{name}` stands for one part of it, which is percent-encoded. */
  readonly path: string;
  /** Clients are made with functions of these names. */
  readonly id: string;
  /** One line that says what it is for. */
  readonly summary: string;
  /** JSON Schemas of what may stand behind the `?`: texts, whole numbers, and flags as 0 and 1. Default: nothing. */
  readonly query?: Readonly<Record<string, JsonObject>>;
  /** The JSON Schema of the body of a POST. */
  readonly takes?: JsonObject;
  /** The JSON Schema of the answer. */
  readonly gives: JsonObject;
  /** An example of a body, for the document that describes it. */
  readonly example?: JsonObject;
  /** Errors beyond those of every operation, by their status. */
  readonly errors?: Readonly<Record<number, string>>;
  /** The answer; undefined where it has answered by itself, as a stream of events that `gives` describes. */
  readonly run: (request: AdminRequest) => JsonObject | undefined | Promise<JsonObject | undefined>;
  /** Whether the answer is a stream of server-sent events. */
  readonly isStream?: boolean;
  /** Whether it needs no token, as its response says nothing of the gateway. Default: false. */
  readonly isOpen?: boolean;
}

/** What is asked. All of it fits what the operation says of it. */
export interface AdminRequest {
  /** The parts of the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  /** `{}` for a GET. */
  readonly body: JsonObject;
  readonly exchange: HttpExchange;
}
