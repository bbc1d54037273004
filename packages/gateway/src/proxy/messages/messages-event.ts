import type { JsonObject } from '@holdfast/core';

/** What is sent in a Messages stream: every event carries its own name. */
export type MessagesEvent = JsonObject & { readonly type: string };

/** An event as it is sent. Anthropic's own SDK ignores those without an `event:` line. */
export function writeMessagesEvent(event: MessagesEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** Keeps a connection alive while the upstream is silent; allowed anywhere in a stream. */
export const MESSAGES_PING: string = writeMessagesEvent({ type: 'ping' });
