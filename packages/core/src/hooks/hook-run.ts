import type { JsonObject } from '../types.ts';
import type { ToolResponse } from './extension.ts';
import type { HookData } from './hook-data.ts';

/** A call that is about to be made. Without a name nothing runs. */
export interface BeforeRun {
  readonly toolName?: string | null | undefined;
  readonly toolArgs?: JsonObject | null | undefined;
  /** The same as is given after the call, so that the two can be brought together. */
  readonly callId?: string | undefined;
  /** What the extensions keep for this conversation. @defaultValue one store for the whole registry */
  readonly data?: HookData | undefined;
}

/** What the extensions before a tool have come to. */
export interface BeforeOutcome {
  /** The arguments to call the tool with: those that were given, unless an extension replaced them. */
  readonly toolArgs: JsonObject;
  /** What the model should hear, in order. */
  readonly notices: readonly HookText[];
  /** The first veto, if any. The host may heed it or not. */
  readonly veto: HookText | undefined;
}

/** A call that was made. Without a name or a response nothing runs. */
export interface AfterRun {
  readonly toolName?: string | null | undefined;
  readonly response?: ToolResponse | null | undefined;
  readonly toolArgs?: JsonObject | null | undefined;
  readonly callId?: string | undefined;
  /** What the extensions keep for this conversation. @defaultValue one store for the whole registry */
  readonly data?: HookData | undefined;
}

/** What the extensions after a tool have come to. */
export interface AfterOutcome {
  /** The response with the texts added: the object that was given, if none was. */
  readonly response: ToolResponse | undefined;
  /** The texts alone, for hosts that place them elsewhere. */
  readonly added: readonly HookText[];
}

/** A text that an extension added. */
export interface HookText {
  /** The name of the extension it comes from. */
  readonly extension: string;
  readonly text: string;
}
