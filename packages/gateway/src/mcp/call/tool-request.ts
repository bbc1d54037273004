import type { JsonObject, JsonValue } from '@holdfast/core';
import { UNLISTED_TOOL } from '../../observe/unlisted-tool.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import type { CallReply, ListedTool } from '../messages.ts';
import type { CallWatch } from './call-watch.ts';

/** A call of a client, on its way to the server that has the tool. */
export interface ToolRequest {
  /** Unique among the calls of this gateway. */
  readonly id: string;
  readonly server: McpServerConfig;
  /** As the server lists it. */
  readonly tool: ListedTool;
  /** Whether the server does not list the tool: then nothing is kept under its name, which the client may have invented. */
  readonly isUnlisted?: boolean;
  /** What the client knows it by; what the model is told must use this name. */
  readonly shownName: string;
  /** As the client sent them; `{}` where it sent none. */
  readonly arguments: JsonValue;
  /** The tools of this server that the client was shown, by the names it knows. */
  readonly serverTools: readonly string[];
  /**
   * Calls with the same text belong to one conversation, for loops and advice. Undefined where others may have made
   * the calls before it: then nothing of them is told.
   */
  readonly conversation?: string | undefined;
  /** The id that the model's own call has, where the client says so. */
  readonly modelCallId?: string | undefined;
  /** What the model is told in place of a result, where the call must not be sent at all. */
  readonly refusal?: string | undefined;
  /** Aborts when the client takes the call back. */
  readonly signal: AbortSignal;
}

/** What the tool is called in circuits, counts and labels. */
export function countedName({ tool, isUnlisted }: ToolRequest): string {
  return isUnlisted === true ? UNLISTED_TOOL : tool.name;
}

/**
 * Sends a call to the server. Rejects with a `NotSentError` where the server cannot have seen it, with the
 * protocol's error (a numeric `code`) where it answered with one, else with whatever broke.
 */
export type SendCall = (args: JsonObject, watch: CallWatch) => Promise<CallReply>;
