import type { JsonObject } from '@holdfast/core';
import { SdkError, SdkErrorCode } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server';
import { isObject, objectOf } from '../../proxy/json/json-fields.ts';
import { CallSignal } from '../call-signal.ts';
import { isId } from '../is-message.ts';
import { errorAnswer } from './error-answer.ts';

/** A tool call of a client, as it came. */
export interface LaneCall {
  readonly id: RequestId;
  readonly params: JsonObject;
  /** Aborts when the client takes the call back or goes away. */
  readonly signal: CallSignal;
}

/** Answers a call, or leaves it to the SDK, which looks closely at what is odd, by returning nothing. */
export type AnswerCall = (call: LaneCall) => Promise<JsonObject> | undefined;

/**
 * Takes the tool calls from a transport before the SDK's server sees them. They are nearly all there is, and the SDK
 * makes more of each than the whole way to the tool: several schemas, a controller, a context. All else is the SDK's.
 */
export class CallLane {
  readonly #transport: Transport;
  readonly #answer: AnswerCall;
  readonly #running = new Map<RequestId, CallSignal>();

  /** From now on, on a transport that a server is connected to. */
  constructor(transport: Transport, answer: AnswerCall) {
    this.#transport = transport;
    this.#answer = answer;
    const { onmessage, onclose } = transport;
    transport.onmessage = (message, extra) => {
      if (!this.#take(message)) onmessage?.(message, extra);
    };
    transport.onclose = () => {
      onclose?.();
      this.#end();
    };
  }

  /** Whether the message is a call, or takes one back; then nobody else is to hear of it. */
  #take(message: JSONRPCMessage): boolean {
    if (!('method' in message)) return false;
    const { method, params } = message;
    if (method === 'notifications/cancelled') return this.#cancel(objectOf(params));
    if (method !== 'tools/call' || !('id' in message) || !isObject(params)) return false;
    const { id } = message;
    const call: LaneCall = { id, params, signal: new CallSignal() };
    const answering = this.#answer(call);
    if (answering === undefined) return false;
    this.#running.set(id, call.signal);
    answering.then(
      (result) => this.#finish(call, { jsonrpc: '2.0', id, result }),
      (error: unknown) => this.#finish(call, errorAnswer(id, error)),
    );
    return true;
  }

  #finish({ id, signal }: LaneCall, answer: JSONRPCMessage): void {
    if (this.#running.get(id) === signal) this.#running.delete(id);
    // What was taken back is not answered.
    if (signal.aborted) return;
    this.#transport
      .send(answer)
      .catch((error: unknown) => this.#transport.onerror?.(error as Error));
  }

  #cancel({ requestId, reason }: JsonObject): boolean {
    const signal = isId(requestId) ? this.#running.get(requestId) : undefined;
    signal?.abort(reason);
    return signal !== undefined;
  }

  #end(): void {
    const error = new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed');
    for (const signal of this.#running.values()) signal.abort(error);
    this.#running.clear();
  }
}
