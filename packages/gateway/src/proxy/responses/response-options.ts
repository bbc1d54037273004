import type { JsonValue } from '@holdfast/core';
import type { ClientRequest } from '../client-protocol.ts';

/** What a response is made with besides what the upstream says. */
export interface ResponseOptions {
  /** What was asked: a response repeats much of it. */
  readonly request: ClientRequest;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly wallTime: number;
  /** A new id that begins with the prefix, such as `msg_`. */
  nextId(prefix: string): string;
  /** Told of the items of an answer that has ended. */
  onOutput?(output: readonly JsonValue[]): void;
}
