import type { JsonObject } from '@holdfast/core';
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import type { CallWatch } from '../call/call-watch.ts';
import { boundErrorResponse, boundErrorText } from './bound-error.ts';
import { INBOUND_LIMIT, InboundLimit } from './inbound-limit.ts';
import type { InboundLimitOptions } from './inbound-limit.ts';

/** How a request is made and what is made of its answer. */
export interface LaneRequestOptions {
  readonly watch: CallWatch | undefined;
  /** What the result is read as. What it throws is what the request fails with. */
  readonly read: (result: JsonObject) => JsonObject;
  /** Goes with the notification that takes the request back. */
  readonly meta: JsonObject | undefined;
}

/** A request without an answer. */
interface Waiting {
  readonly options: LaneRequestOptions;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: unknown) => void;
}

/** Outside of the codes of the protocol. */
const TOO_MANY = -32_000;
/** The SDK counts its own requests from 0. */
const FIRST_ID = 1_000_000_000;

/** A transport that can read more slowly for a while. */
export interface SlowableTransport extends Transport {
  slowDown?(): void;
}

/**
 * A transport with a lane of its own for the requests there are most of. Their answers go straight to who waits for
 * them; the SDK's client, which has all the rest, looks at every message several times. What the server sends without
 * being asked is bounded.
 */
export class RequestLane implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];
  readonly #inner: SlowableTransport;
  readonly #waiting = new Map<number, Waiting>();
  /** Requests of the SDK without an answer, by their ids as text. */
  readonly #asked = new Set<string>();
  readonly #limit: InboundLimit;
  #nextId = FIRST_ID;

  constructor(inner: SlowableTransport, limits: Omit<InboundLimitOptions, 'deliver'>) {
    this.#inner = inner;
    this.#limit = new InboundLimit({
      ...limits,
      deliver: (message) => this.onmessage?.(message),
    });
    inner.onmessage = (received, extra) => {
      const message = boundErrorResponse(received);
      if (this.#settle(message)) return;
      const isAnswer = !('method' in message) && this.#asked.delete(String(message.id));
      if (isAnswer) this.onmessage?.(message, extra);
      else if (!this.#limit.take(message)) this.#refuse(message);
    };
    inner.onerror = (error) => this.onerror?.(boundErrorText(error) as Error);
    inner.onclose = () => {
      // The SDK first: whoever waits is told by then why the connection is over.
      this.#limit.close();
      this.onclose?.();
      this.#end();
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get setProtocolVersion(): Transport['setProtocolVersion'] {
    return this.#inner.setProtocolVersion?.bind(this.#inner);
  }

  get setSupportedProtocolVersions(): Transport['setSupportedProtocolVersions'] {
    return this.#inner.setSupportedProtocolVersions?.bind(this.#inner);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const id = 'method' in message && 'id' in message ? String(message.id) : undefined;
    if (id !== undefined) this.#asked.add(id);
    else if ('method' in message && message.method === 'notifications/cancelled')
      this.#asked.delete(String(message.params?.['requestId']));
    try {
      await this.#inner.send(message, options);
    } catch (error) {
      if (id !== undefined) this.#asked.delete(id);
      throw boundErrorText(error);
    }
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /**
   * Asks by a request of the lane's own. Rejects with the error that the server answered, or with what kept it from
   * answering.
   */
  request(method: string, params: JsonObject, options: LaneRequestOptions): Promise<JsonObject> {
    const id = this.#nextId++;
    const { watch } = options;
    // Canceled while the server was being connected: the tool must not run.
    if (watch?.stopped !== undefined) return Promise.reject(stopError(watch.stopped.reason));
    if (watch !== undefined) watch.onStop = (reason) => this.#cancel(id, reason);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { options, resolve, reject };
      this.#waiting.set(id, waiting);
      const message: JSONRPCRequest = { jsonrpc: '2.0', id, method, params };
      this.#inner.send(message).catch((error: unknown) => {
        this.#waiting.delete(id);
        waiting.reject(error);
      });
    });
  }

  /** Whether it is an answer that somebody on the lane waits for. */
  #settle(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    // Some give a number back as text.
    const id = Number(message.id);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    if ('result' in message) answer(waiting, message.result as JsonObject);
    else {
      const { code, message: text, data } = message.error;
      waiting.reject(ProtocolError.fromError(code, text, data));
    }
    return true;
  }

  /** Over the limit a server is read more slowly, and its requests are answered by an error. */
  #refuse(message: JSONRPCMessage): void {
    this.#inner.slowDown?.();
    if (!('method' in message && 'id' in message)) return;
    const error = {
      code: TOO_MANY,
      message: `more than ${INBOUND_LIMIT.perSecond} messages a second`,
    };
    this.#inner
      .send({ jsonrpc: '2.0', id: message.id, error })
      .catch((failure: unknown) => this.onerror?.(failure as Error));
  }

  #cancel(id: number, reason: unknown): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    const { meta } = waiting.options;
    const params = { requestId: id, reason: String(reason), ...(meta && { _meta: meta }) };
    this.#inner
      .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
      .catch((error: unknown) => this.onerror?.(error as Error));
    waiting.reject(stopError(reason));
  }

  #end(): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const { reject } of all) reject(error);
  }
}

function stopError(reason: unknown): SdkError {
  if (reason instanceof SdkError) return reason;
  return new SdkError(SdkErrorCode.RequestTimeout, String(reason));
}

function answer({ options, resolve, reject }: Waiting, result: JsonObject): void {
  try {
    resolve(options.read(result));
  } catch (error) {
    reject(error);
  }
}
