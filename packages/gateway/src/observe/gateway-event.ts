import type { CallEvent } from '../mcp/call/call-event.ts';

/** Which part of the gateway an event comes from. */
export type EventSource = 'proxy' | 'mcp' | 'sidecar' | 'gateway';

/**
 * What happens in the gateway, for its dashboard, metrics and history. No event holds a prompt, an argument or a
 * result: those are in a `Capture`, where somebody has turned that on. What a failure says may quote a word of them;
 * it is one short line, without secrets.
 */
export type GatewayEvent =
  CallEvent | TurnEnded | CallEnded | ServerChanged | ToolRedefined | ConfigLoaded;

/** An event as it is kept and told: with its place in the order of all events of this process, and its time. */
export interface ObservedEvent {
  /** From 1, without gaps. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source: EventSource;
  readonly event: GatewayEvent;
}

/** A request to a model through the proxy is over. */
export interface TurnEnded {
  readonly type: 'turn-ended';
  /** That of the request, as in `x-request-id`. */
  readonly id: string;
  /** What the client speaks. */
  readonly protocol: string;
  readonly model: string;
  /** Undefined where nobody could be asked. */
  readonly upstream: string | undefined;
  readonly status: number;
  readonly isStream: boolean;
  /** How many tools the model was offered. */
  readonly tools: number;
  /** The calls the client was told of. */
  readonly calls: readonly TurnCallSummary[];
  /** The dialects calls were read in; `native` for those the upstream read. */
  readonly formats: readonly string[];
  readonly repairs: readonly string[];
  /** What looked like a call and could not be read, and the like. */
  readonly issues: readonly { readonly code: string; readonly message: string }[];
  readonly normalised: readonly string[];
  /** The dialect of prompted tools, where they were put into the prompt. */
  readonly promptedIn: string | undefined;
  /** The rules by which the model was advised; empty where it was not. */
  readonly advice: readonly string[];
  readonly wasAskedAgain: boolean;
  readonly attempts: number;
  readonly finish: string | undefined;
  readonly durationMs: number;
  /** From the request to the first byte of the answer of the upstream. */
  readonly firstByteMs: number | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Undefined where it went well. */
  readonly error: { readonly kind: string; readonly message: string } | undefined;
  /** The client went away before it was over. */
  readonly isAborted: boolean;
}

export interface TurnCallSummary {
  readonly name: string;
}

/** A call of a tool through the MCP gateway, or one that an agent told the sidecar of, is over. */
export interface CallEnded {
  readonly type: 'call-ended';
  readonly id: string;
  /** Undefined for tools of an agent that has no servers. */
  readonly server: string | undefined;
  readonly tool: string;
  /** How it ended: well, as a failure, or not sent at all. */
  readonly outcome: 'ok' | 'failed' | 'refused';
  /** The class of the failure, as the guard knows it. */
  readonly class: string | undefined;
  /** The type of the failure, as the advisor knows it. */
  readonly failureType: string | undefined;
  /** What failed, in one short line without secrets. */
  readonly message: string | undefined;
  readonly attempts: number;
  /** Undefined where nobody was told when it began. */
  readonly durationMs: number | undefined;
  readonly repairs: readonly string[];
  /** What the model was told to do about it. */
  readonly advice: string | undefined;
  /** The rules by which it was told so. */
  readonly adviceRules?: readonly string[];
}

/** A server of tools has come, or is gone. */
export interface ServerChanged {
  readonly type: 'server-changed';
  readonly server: string;
  readonly state: 'connecting' | 'connected' | 'lost' | 'stopped';
  readonly reason: string | undefined;
}

/** A tool says something else of itself than when it was seen first. */
export interface ToolRedefined {
  readonly type: 'tool-redefined';
  readonly server: string;
  /** As its server names it. */
  readonly tool: string;
  /** Whether it is held back until somebody approves it. */
  readonly quarantined: boolean;
}

export interface ConfigLoaded {
  readonly type: 'config-loaded';
  readonly changed: readonly string[];
}
