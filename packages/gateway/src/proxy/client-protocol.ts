import type { JsonObject, ToolDefinition } from '@holdfast/core';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import type { NormaliseRules } from './normalise-rules.ts';
import type { TurnWriter } from './turn-writer.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { TurnEvent } from './turn/turn-event.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';

/** A request for a turn, as far as it matters to whoever passes it on. */
export interface ClientRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly stream: boolean;
  /** The tools whose calls are looked for. */
  readonly tools: readonly ToolDefinition[];
}

/** What an upstream is sent. */
export interface TranslatedRequest {
  readonly body: JsonObject;
  /** The rules that changed something. */
  readonly applied: readonly string[];
}

/** What a client speaks. */
export interface ClientProtocol {
  readonly name: UpstreamProtocol;
  /** Throws a `RequestError` for what is no request. */
  read(body: unknown): ClientRequest;
  /** The request in the protocol of the upstream. */
  translate(
    request: ClientRequest,
    target: UpstreamProtocol,
    rules: NormaliseRules,
  ): TranslatedRequest;
  createWriter(source: UpstreamProtocol, request: ClientRequest): TurnWriter;
  /** The whole turn; `frame` is what its upstream answered. */
  answer(
    events: readonly TurnEvent[],
    frame: UpstreamFrame,
    source: UpstreamProtocol,
    request: ClientRequest,
  ): JsonObject;
  error(
    error: TurnError,
    requestId: string,
  ): { readonly status: number; readonly body: JsonObject };
  /** What tells a client that waits that there is still somebody. */
  readonly keepAlive: string;
}

/** Reads the answer of an upstream as it arrives. */
export interface AnswerReader {
  feed(bytes: Uint8Array): UpstreamFrame[];
  end(): UpstreamFrame[];
}

/** What an upstream speaks. */
export interface UpstreamSpeech {
  /** Behind the upstream's URL. */
  readonly path: string;
  createReader(): AnswerReader;
  /** Reads a whole answer; what is none is an error event. */
  readAnswer(text: string): UpstreamFrame;
}
