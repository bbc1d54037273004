import type { JsonObject } from '@holdfast/core';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import type { ClientSession } from './client-session.ts';

/** Somebody who can answer what a server asks. */
export interface Asked {
  readonly client: ClientView;
  ask(request: Message, signal: AbortSignal): Promise<JsonObject>;
}

/**
 * Whom a server means that asks for something. The protocol does not say which request it asks for, so it must
 * be the client all of whose requests it is answering, or the only client there is. Between two clients there is
 * no telling, and a question to the wrong user would be worse than none.
 */
export function findAsked(
  running: ReadonlySet<Exchange>,
  sessions: ReadonlySet<ClientSession>,
): Asked | undefined {
  const candidates: Iterable<Asked> = running.size > 0 ? running : sessions;
  let found: Asked | undefined;
  for (const candidate of candidates) {
    if (found !== undefined && found.client.key !== candidate.client.key) return undefined;
    // The newest request of a client: older ones may be answered by now.
    found = candidate;
  }
  return found;
}
