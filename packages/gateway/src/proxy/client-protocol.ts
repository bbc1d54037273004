import type { JsonObject, ToolDefinition } from '@holdfast/core';
import type { UpstreamProtocol } from '../config/gateway-config.ts';
import type { ConversationEditor } from './conversation-editor.ts';
import type { NormaliseRules } from './normalise-rules.ts';
import type { TurnWriter } from './turn-writer.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { TurnEvent } from './turn/turn-event.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';

/** A request for a turn, as far as it matters to whoever passes it on. */
export interface ClientRequest {
  readonly body: JsonObject;
  /** What the client calls the model. */
  readonly model: string;
  readonly stream: boolean;
  /** The tools whose calls are looked for. */
  readonly tools: readonly ToolDefinition[];
}

export interface Refused {
  readonly ok: false;
  readonly error: TurnError;
}

/** What an upstream is sent. */
export interface TranslatedRequest {
  readonly ok: true;
  readonly body: JsonObject;
  /** The rules that changed something. */
  readonly applied: readonly string[];
}

/** What is known of a turn besides its request. */
export interface TurnContext {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly wallTime: number;
  readonly ownerOf: OwnerOf;
}

/**
 * Whom what is remembered of a turn belongs to: the credentials of the client and the first upstream that has the
 * model.
 */
export type OwnerOf = (model: string) => string;

/** A failure as it is answered over HTTP. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

/** What a client speaks. */
export interface ClientProtocol {
  readonly name: UpstreamProtocol;
  read(
    value: unknown,
    rules: NormaliseRules,
    ownerOf: OwnerOf,
  ): { readonly ok: true; readonly request: ClientRequest } | Refused;
  /** The names of all tools that a request offers: without a schema, deferred or run by the provider too. */
  offeredNames(body: JsonObject): readonly string[];
  /** The request in the protocol of the upstream. */
  translate(
    request: ClientRequest,
    target: UpstreamProtocol,
    rules: NormaliseRules,
  ): TranslatedRequest | Refused;
  /** Whether the client expects usage in the response. */
  reportsUsage(request: ClientRequest): boolean;
  readonly conversation: ConversationEditor;
  createWriter(request: ClientRequest, context: TurnContext): TurnWriter;
  /** The whole turn as JSON; `frame` is what its upstream answered. */
  answer(
    events: readonly TurnEvent[],
    frame: UpstreamFrame,
    request: ClientRequest,
    context: TurnContext,
  ): string | Promise<string>;
  error(error: TurnError, requestId: string): ErrorAnswer;
  /** What tells a client that waits that there is still somebody. */
  readonly keepAlive: string;
}

/** Reads the answer of an upstream as it arrives. */
export interface AnswerReader {
  feed(bytes: Uint8Array): UpstreamFrame[];
  end(): UpstreamFrame[];
}

/** A whole answer as JSON; undefined for what is no object. */
export interface ReadAnswer {
  readonly body: JsonObject | undefined;
}

/** What an upstream speaks. */
export interface UpstreamSpeech {
  /** Behind the upstream's URL. */
  readonly path: string;
  /** `maxResponseBytes` bounds an event of the stream. */
  createReader(maxResponseBytes?: number): AnswerReader;
  /** Reads a whole answer; what is none is an error event. */
  readAnswer(text: string, read?: ReadAnswer): UpstreamFrame;
}
