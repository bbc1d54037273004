import type { JsonObject } from '../types.ts';
import type { HookData } from './hook-data.ts';

/** What a tool answered, as its host has it. */
export interface ToolResponse {
  /** What the model gets to see. */
  readonly message: string;
  /** Whether the agent's loop ends with this response. */
  readonly breakLoop?: boolean;
  /** What else the host knows of it. */
  readonly additional?: JsonObject | null;
}

/** What an extension before a tool gets to see. All of it is frozen; it is a copy. */
export interface BeforeContext {
  readonly toolName: string;
  readonly toolArgs: JsonObject;
  /** The id of the call, where the host has one. */
  readonly callId: string | undefined;
  readonly data: HookData;
}

/** What an extension before a tool may ask for. */
export interface BeforeReply {
  /** The arguments to go on with, in place of those it was given. */
  readonly toolArgs?: JsonObject;
  /** What the model should hear. */
  readonly notice?: string;
  /** Why the tool should not run. It is for the host to heed or not. */
  readonly veto?: string;
}

/** What an extension after a tool gets to see. All of it is frozen; it is a copy. */
export interface AfterContext {
  readonly toolName: string;
  /** What the tool was called with, where the host says. */
  readonly toolArgs: JsonObject | undefined;
  readonly callId: string | undefined;
  /** The response as the extensions before this one have left it. */
  readonly response: ToolResponse;
  readonly data: HookData;
}

/** Runs before a tool. */
export type BeforeExtension = (
  context: BeforeContext,
) => BeforeReply | undefined | Promise<BeforeReply | undefined>;

/** Runs after a tool. The text it returns is added to the message; nothing else can be changed. */
export type AfterExtension = (
  context: AfterContext,
) => string | undefined | Promise<string | undefined>;

/** Takes out of a message what nobody may see: neither the extensions behind it nor the model. */
export interface MessageMask {
  mask(message: string): string;
}
