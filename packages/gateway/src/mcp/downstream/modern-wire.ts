import type { JsonObject } from '@holdfast/core';
import { PerRequestHTTPServerTransport } from '@modelcontextprotocol/server';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  MessageExtraInfo,
  RequestId,
  TransportSendOptions,
} from '@modelcontextprotocol/server';
import type { HttpAnswer } from './http-answer.ts';

/** Who asked, by which id of theirs, and where the answer goes. */
export interface ModernAsker {
  readonly id: RequestId;
  readonly credential: string;
  readonly answer: HttpAnswer;
}

/** The server wants what the client did not say that it can do. */
export const MISSING_CAPABILITY = -32_021;

/** The HTTP status of what the SDK refuses before anybody is asked. Other errors are answers like any. */
const REFUSALS: ReadonlyMap<number, number> = new Map([
  [-32_700, 400],
  [-32_600, 400],
  [-32_601, 404],
  [-32_602, 400],
  [-32_020, 400],
  [MISSING_CAPABILITY, 400],
  [-32_022, 400],
]);

/**
 * Takes the requests of many clients to one server of the SDK, and its answers back. A server speaks the modern
 * era only over the SDK's transport for a single request, which is why it is one.
 */
export class ModernWire extends PerRequestHTTPServerTransport {
  readonly revision: string;
  readonly serverInfo: JsonObject | undefined;
  readonly #extra: MessageExtraInfo;
  readonly #askers = new Map<RequestId, ModernAsker>();
  #nextId = 1;
  #isTaking = false;

  constructor(revision: string, serverInfo: JsonObject | undefined) {
    const classification = { era: 'modern' as const, revision };
    super({ classification });
    this.revision = revision;
    this.serverInfo = serverInfo;
    this.#extra = { classification };
  }

  /** Takes on a request. Clients count their requests alike, so it gets an id of its own, which is returned. */
  take(request: JSONRPCRequest, asker: ModernAsker): RequestId {
    const id = this.#nextId++;
    this.#askers.set(id, asker);
    this.#isTaking = true;
    try {
      this.onmessage?.({ ...request, id }, this.#extra);
    } finally {
      this.#isTaking = false;
    }
    return id;
  }

  /** Nobody waits for the answer any more. */
  cancel(id: RequestId): void {
    if (!this.#askers.delete(id)) return;
    const params = { requestId: id, reason: 'the client has gone' };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, this.#extra);
  }

  credentialOf(id: RequestId | undefined): string {
    return (id === undefined ? undefined : this.#askers.get(id))?.credential ?? '';
  }

  /** What the client calls the request that we gave an id of its own. */
  givenId(id: RequestId | undefined): RequestId | undefined {
    return id === undefined ? undefined : this.#askers.get(id)?.id;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isAnswer = !('method' in message);
    const id = isAnswer ? message.id : options?.relatedRequestId;
    const asker = id === undefined ? undefined : this.#askers.get(id);
    if (id === undefined || asker === undefined) return;
    if (!isAnswer) return asker.answer.tell(message);
    this.#askers.delete(id);
    asker.answer.finish({ ...message, id: asker.id }, this.#statusOf(message));
  }

  #statusOf(message: JSONRPCMessage): number {
    if (!('error' in message)) return 200;
    const { code } = message.error;
    const isRefusal = this.#isTaking || code === MISSING_CAPABILITY;
    return (isRefusal ? REFUSALS.get(code) : undefined) ?? 200;
  }
}
