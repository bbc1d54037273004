import type { JsonObject, JsonValue } from '@holdfast/core';

/**
 * What MCP carries, as far as the gateway looks at it. Everything else in these objects is passed on as it
 * came, so none of them is ever built anew from the fields named here.
 */
export interface ListedTool extends JsonObject {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A result of `tools/call`. */
export interface CallResult extends JsonObject {
  readonly content: readonly JsonObject[];
}

/** A server's answer that asks the client for something first (protocol revision 2026-07-28). */
export interface InputRequired extends JsonObject {
  readonly resultType: 'input_required';
}

/** Whatever a server answers to `tools/call`. */
export type CallReply = CallResult | InputRequired;

export function isInputRequired(reply: JsonObject): reply is InputRequired {
  return reply['resultType'] === 'input_required';
}

/** The text of a result, block after block. */
export function textBlock(text: string): { readonly [key: string]: JsonValue } {
  return { type: 'text', text };
}
