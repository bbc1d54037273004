import type { JsonObject } from '@holdfast/core';
import type { Logger } from '../log/logger.ts';

/** Something that programs in any language can ask for over HTTP. */
export interface Operation {
  /** Behind `/api/v1/`. */
  readonly name: string;
  /** One line that says what it is for. */
  readonly summary: string;
  /** The JSON Schema of what it takes. Bodies are held against it before it runs. */
  readonly takes: JsonObject;
  /** Whether its body holds text of a model, which may be long. Default: no. */
  readonly takesModelText?: boolean;
  /** The JSON Schema of what it answers. */
  readonly gives: JsonObject;
  /** Answers beyond 200 and those of every operation. */
  readonly otherAnswers?: readonly OtherAnswer[];
  /** For the document that describes it. */
  readonly example: OperationExample;
  run(body: JsonObject, context: OperationContext): OperationAnswer | Promise<OperationAnswer>;
}

/** What is answered. */
export interface OperationAnswer {
  readonly body: JsonObject;
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer with another status, as the document tells of it. */
export interface OtherAnswer {
  readonly status: number;
  readonly description: string;
  /** Whether its body may be the operation's own, and not an error. */
  readonly givesAnswer?: boolean;
  readonly hasRetryAfter?: boolean;
  readonly example?: JsonObject;
}

/** A body and what is answered to it. */
export interface OperationExample {
  readonly takes: JsonObject;
  readonly gives: JsonObject;
}

/** What an operation knows of the request beside its body. */
export interface OperationContext {
  /** That of the request, as in `x-request-id`. */
  readonly id: string;
  readonly log: Logger;
}
