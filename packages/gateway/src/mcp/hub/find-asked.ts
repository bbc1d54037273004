import type { JsonObject } from '@holdfast/core';
import type { ClientView, Exchange, Message } from '../exchange.ts';
import type { ClientSession } from './client-session.ts';

/** Somebody who can answer what a server asks, or hear what it tells. */
export interface Asked {
  readonly client: ClientView;
  ask(request: Message, signal: AbortSignal): Promise<JsonObject>;
  notify(notification: Message): void;
}

/**
 * Whom a server means that asks for something or tells something. The protocol does not say which request it
 * belongs to, so it must be the client all of whose requests it is answering, or the only client there is.
 * Between two clients there is no telling, and a question to the wrong user would be worse than none.
 */
export function findAsked(
  running: ReadonlySet<Exchange>,
  sessions: Iterable<ClientSession>,
): Asked | undefined {
  const active = [...running].filter(({ isWaiting }) => isWaiting !== true);
  const some = active.length > 0 ? active : running;
  const candidates: Iterable<Asked> = running.size > 0 ? some : sessions;
  let found: Asked | undefined;
  for (const candidate of candidates) {
    if (found !== undefined && !isSameClient(found.client, candidate.client)) return undefined;
    // The newest request of a client: older ones may be answered by now.
    found = candidate;
  }
  return found;
}

function isSameClient(one: ClientView, other: ClientView): boolean {
  return one.key === other.key && one.isGuessed !== true && other.isGuessed !== true;
}
