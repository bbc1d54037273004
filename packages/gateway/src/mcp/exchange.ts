import type { JsonObject } from '@holdfast/core';

/** A request or notification of the protocol, without its number. */
export interface Message {
  readonly method: string;
  readonly params?: JsonObject;
}

/** What is known of the client that a request came from. */
export interface ClientView {
  /** Requests with the same text come from one client, as far as can be told. */
  readonly key: string;
  /** The key is made of what the client says of itself, and another may say the same of itself. */
  readonly isGuessed?: boolean;
  readonly era: 'legacy' | 'modern';
  /** What the client can be asked for. */
  readonly capabilities: JsonObject;
  readonly info: JsonObject | undefined;
  /** The least severe log messages it wants; undefined for none. */
  readonly logLevel: string | undefined;
  /** How it reaches us, for those who watch. */
  readonly transport?: 'pipe' | 'tcp' | undefined;
  /** The revision of the protocol it speaks. */
  readonly protocolVersion?: string | undefined;
}

/** A request of a client while it is being answered, as the servers behind see it. */
export interface Exchange {
  readonly client: ClientView;
  /** Aborts when the client takes the request back or goes away. */
  readonly signal: AbortSignal;
  /** What the client calls the request. */
  readonly requestId?: string | number | undefined;
  /** Its client was asked something and has not come back yet: what a server asks now is about another one. */
  readonly isWaiting?: boolean;
  /** Asks the client for something: input of its user, an answer of its model, its roots. */
  ask(request: Message, signal: AbortSignal): Promise<JsonObject>;
  /** Tells the client something that belongs to this request. */
  notify(notification: Message): void;
}
