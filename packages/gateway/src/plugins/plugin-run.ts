import type { JsonObject, JsonValue } from '@holdfast/core';
import type { CircuitBreaker } from '@holdfast/core/guard';
import type { PluginViolation } from './plugin.ts';

/** What is known of a call before any plugin sees it. */
export interface PluginCall {
  readonly requestId: string;
  /** The tool, as its server names it. */
  readonly tool: string;
  /** Whether the server does not list it, so that nothing may be kept under its name. */
  readonly isUnlisted?: boolean;
  /** What the client knows it by, where that is another name; what the model is told uses it. */
  readonly shownName?: string;
  readonly server?: string;
  readonly tenant?: string;
  readonly user?: string;
  /** Calls with the same text belong to one conversation, for loops and advice. */
  readonly conversation?: string;
}

/** How the plugins before a call left it. */
export interface PreOutcome {
  /** The arguments to go on with. */
  readonly args: JsonObject;
  /** Why it must not go on. */
  readonly violation?: PluginViolation;
  readonly metadata: JsonObject;
}

/** How the plugins after a call left its result. */
export interface PostOutcome {
  readonly result: JsonValue;
  readonly violation?: PluginViolation;
  readonly metadata: JsonObject;
  /** A plugin asks for the call to be made again after this time. */
  readonly retryDelayMs?: number;
}

/** How a call failed, where its result does not say so. */
export interface PostedHow {
  /** Sets `cb_timeout_failure` in the state of every plugin. */
  readonly timedOut?: boolean;
  /** The `incident` of the failure. Sets `cb_incident`. */
  readonly incident?: object | undefined;
}

/**
 * One call on its way through the plugins that were there when it began: a reload in between changes nothing
 * for it.
 */
export interface PluginRun {
  /** Again before each attempt, where a call is made more than once. */
  pre(args: JsonObject, headers?: Readonly<Record<string, string>>): Promise<PreOutcome>;
  post(result: JsonValue, how?: PostedHow): Promise<PostOutcome>;
  /** There will be no `post`. Does nothing where there was one. */
  abandon(): void;
}

/** The tools that a plugin is configured for one by one, in its `tool_overrides`. */
export interface PluginOverrides {
  readonly plugin: string;
  readonly tools: readonly string[];
}

/** The plugins of the gateway. */
export interface PluginHost {
  /** What will run around this call; undefined where no plugin does, so that such calls cost nothing. */
  begin(call: PluginCall): PluginRun | undefined;
  /** Whether a plugin keeps circuits for this tool, which then take the place of the gateway's own. */
  guardsTool(tool: string, server?: string): boolean;
  /** That circuit, under the name that the gateway's own would have. */
  circuitOf?(tool: string, server?: string): CircuitBreaker | undefined;
  /** The tools that plugins name in their configuration. */
  overrides?(): readonly PluginOverrides[];
  /** All circuits that plugins keep. */
  circuits?(): readonly CircuitBreaker[];
  close(): Promise<void>;
}
