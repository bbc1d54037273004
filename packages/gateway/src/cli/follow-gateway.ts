import type { JsonObject } from '@holdfast/core';
import { createParser } from 'eventsource-parser';
import { objectOf, textOf } from '../proxy/json/json-fields.ts';
import { openGateway } from './ask-gateway.ts';
import type { GatewayAddress } from './gateway-address.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';

/** Something that happened in the gateway; `hello` says that it is followed from now on, also after a break. */
export interface GatewayMessage {
  readonly type: string;
  readonly data: JsonObject;
}

export interface FollowOptions {
  readonly io: Io;
  /** With its query. */
  readonly path: string;
  readonly signal: AbortSignal;
  /** The connection has ended; it is tried again until the signal aborts. */
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

const RETRY_AFTER_MS = 1_000;

/**
 * What happens in a gateway, as it happens, until the signal aborts. A connection that breaks is made again, and what
 * happened in between is told where the gateway still knows it. Throws where the first connection cannot be made.
 */
export async function* followGateway(
  address: GatewayAddress,
  options: FollowOptions,
): AsyncGenerator<GatewayMessage, void, void> {
  const { path, signal } = options;
  const place: Place = { lastId: undefined, startedAt: undefined };
  let response = await openGateway(address, path, { signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  while (response !== undefined) {
    let reason = 'it closed the connection';
    try {
      yield* readMessages(response, place);
    } catch (error) {
      reason = error instanceof Error ? error.message : String(error);
    }
    response = await openAgain(address, options, place, reason);
  }
}

/** Undefined where the signal aborts before the gateway is back. */
async function openAgain(
  address: GatewayAddress,
  { io, path, signal, onLost, onBack }: FollowOptions,
  { lastId }: Place,
  reason: string,
): Promise<Response | undefined> {
  const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
  const isOther = lastId === FROM_START;
  if (!isOther && !signal.aborted) onLost(reason);
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    if (!isOther || !isFirst) await io.sleep(RETRY_AFTER_MS, signal);
    const response = await openGateway(address, path, { headers, signal }).catch(() => undefined);
    if (response === undefined) continue;
    if (!isOther) onBack();
    return response;
  }
  return undefined;
}

/** How far a gateway was followed. */
interface Place {
  lastId: string | undefined;
  startedAt: string | undefined;
}

const FROM_START = '0';

/** What has no end is no event; comments keep a connection open, and are few. */
const MOST_BYTES = 16_777_216;

/** Ends with the response, or where a gateway says that it is not the one that was followed so far. */
async function* readMessages(
  { body }: Response,
  place: Place,
): AsyncGenerator<GatewayMessage, void, void> {
  if (body === null) throw new Misuse('expected a stream of events, got an empty answer');
  const messages: (GatewayMessage & { readonly id: string | undefined })[] = [];
  const parser = createParser({
    onEvent: ({ id, event: type = 'message', data }) => {
      messages.push({ id, type, data: objectOf(parseData(data)) });
    },
  });
  const decoder = new TextDecoder();
  let unread = 0;
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    unread = messages.length > 0 ? 0 : unread + chunk.length;
    if (unread > MOST_BYTES) throw new Misuse(`it sent ${MOST_BYTES} bytes and told nothing`);
    for (const { id, type, data } of messages.splice(0)) {
      if (type === 'hello') {
        const startedAt = textOf(data['started_at']);
        const isOther = place.startedAt !== undefined && place.startedAt !== startedAt;
        place.startedAt = startedAt;
        // Its events have numbers of their own: all of them are new.
        if (isOther && place.lastId !== undefined && place.lastId !== FROM_START) {
          place.lastId = FROM_START;
          return;
        }
      }
      place.lastId = id ?? place.lastId;
      yield { type, data };
    }
  }
}

function parseData(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
