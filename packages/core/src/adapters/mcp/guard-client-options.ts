import { Advisor } from '../../advise/advisor.ts';
import { callable, flag } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import { MCP_GUARD_DEFAULTS, MCP_GUARD_RULES, serverName } from './mcp-guard-options.ts';
import type { McpGuardOptions } from './mcp-guard-options.ts';

/** A tool as servers list it. */
export interface ListedTool {
  readonly name: string;
  readonly inputSchema?: object;
  readonly annotations?: object | undefined;
}

/** A call as the client was asked to make it. */
export interface AskedCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/** How the tools of a server are called through `guardClient`. */
export interface GuardClientOptions extends McpGuardOptions {
  /** What the server is called in the names of circuits. @defaultValue what it calls itself */
  readonly server?: string;
  /** The tools, where they were listed by the client itself before. @defaultValue those listed through the guard */
  readonly tools?: readonly ListedTool[];
  /** Whether arguments are held against the schemas of the tools that are known. @defaultValue true */
  readonly check?: boolean;
  /** Whether a tool that calls itself read-only or idempotent is believed, and retried. @defaultValue true */
  readonly trustAnnotations?: boolean;
  /** Tools that may be called twice, whatever they say of themselves. @defaultValue none */
  readonly idempotentTools?: readonly string[];
  /**
   * Who advises the model; where one client serves several conversations, what finds the advisor of each; false
   * for no advice. @defaultValue an advisor of its own
   */
  readonly advisor?: Advisor | ((call: AskedCall) => Advisor | undefined) | false;
}

/** What a guarded client does unless told otherwise. */
export const GUARD_CLIENT_DEFAULTS: Readonly<{
  timeoutMs: number;
  maxDurationMs: number;
  check: boolean;
  trustAnnotations: boolean;
}> = Object.freeze({ ...MCP_GUARD_DEFAULTS, check: true, trustAnnotations: true });

const isText = (value: unknown): boolean => typeof value === 'string';

export const GUARD_CLIENT_RULES: Readonly<Record<keyof GuardClientOptions, OptionRule>> = {
  ...MCP_GUARD_RULES,
  server: serverName,
  tools: (value) => (Array.isArray(value) ? undefined : 'a list of tools'),
  check: flag,
  trustAnnotations: flag,
  idempotentTools: (value) =>
    Array.isArray(value) && value.every(isText) ? undefined : 'a list of names',
  advisor: (value) =>
    value === false || value instanceof Advisor || callable(value) === undefined
      ? undefined
      : 'an Advisor, a function that finds one, or false',
};
