import type { JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitBreaker } from '@holdfast/core/guard';

/** Where plugins are called: before a tool runs, and after. */
export type PluginHook = 'tool_pre_invoke' | 'tool_post_invoke';

export interface ToolPreInvokePayload {
  /** The tool, as its server names it. */
  readonly name: string;
  readonly args: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ToolPostInvokePayload {
  readonly name: string;
  /** What the tool returned: in MCP's shape, or whatever the agent gave. */
  readonly result: JsonValue;
}

/** Why a call must not go on. */
export interface PluginViolation {
  readonly reason: string;
  readonly description: string;
  /** Such as `CIRCUIT_OPEN`. */
  readonly code: string;
  /** `retry_after_seconds` among them where waiting helps. */
  readonly details: JsonObject;
  readonly http_status_code?: number;
  readonly http_headers?: Readonly<Record<string, string>>;
}

/** What a plugin says. Nothing at all means: go on, unchanged. */
export interface PluginResult<Payload> {
  /** @defaultValue true, unless there is a violation */
  readonly continue_processing?: boolean;
  readonly modified_payload?: Payload;
  readonly violation?: PluginViolation;
  /** Put into `_meta` of the result. */
  readonly metadata?: JsonObject;
  /** After a failure: call the tool again after this many milliseconds, where that is safe. */
  readonly retry_delay_ms?: number;
}

/** What a plugin knows of the call. The same object before and after. */
export interface PluginContext {
  readonly request_id: string;
  readonly server_id?: string;
  readonly tenant_id?: string;
  readonly user?: string;
  readonly conversation_id?: string;
  /** What the model knows the tool by. */
  readonly shown_name: string;
  /** The server does not list the tool: the client may have invented the name, so keep nothing under it. */
  readonly unlisted?: true;
  /** Kept from before to after, for this plugin and this call only. `cb_timeout_failure: true` says that the call timed out. */
  readonly state: Record<string, unknown>;
  /** Aborts when the plugin's time is up or nobody waits any more. */
  readonly signal: AbortSignal;
}

type Answer<Payload> = PluginResult<Payload> | undefined;

/** Something that runs around tool calls. */
export interface Plugin {
  tool_pre_invoke?(
    payload: ToolPreInvokePayload,
    context: PluginContext,
  ): Answer<ToolPreInvokePayload> | Promise<Answer<ToolPreInvokePayload>>;
  tool_post_invoke?(
    payload: ToolPostInvokePayload,
    context: PluginContext,
  ): Answer<ToolPostInvokePayload> | Promise<Answer<ToolPostInvokePayload>>;
  /** The call will have no end: it was cancelled, or another plugin stopped it. Lets go of what it holds. */
  tool_abandoned?(context: PluginContext): void;
  /** The circuit it keeps for a tool. Only our own plugins are asked. */
  circuitOf?(tool: string, server?: string): CircuitBreaker;
  /** All circuits it keeps. Only our own plugins are asked. */
  readonly circuits?: readonly CircuitBreaker[];
  /** The plugin is no longer used. */
  shutdown?(): void | Promise<void>;
}
