import type { JsonObject } from '@holdfast/core';
import type { ClientView, Message } from '../exchange.ts';

/** A client that stays: it can be told of changes, and asked, outside of its own requests. */
export interface ClientSession {
  readonly client: ClientView;
  /** Whether it wants to hear of a resource. */
  listensTo(uri: string): boolean;
  notify(notification: Message): void;
  ask(request: Message, signal: AbortSignal): Promise<JsonObject>;
}
