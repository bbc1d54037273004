import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolAnnotations } from '../../call/tool.ts';
import { InvalidOptionError } from '../../errors.ts';
import { callable, object, text } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';
import type { JsonObject } from '../../types.ts';
import { callFunction } from '../guarding/call-function.ts';
import type { AnyFunction } from '../guarding/call-function.ts';
import { signalIn, watchedContext } from './handler-context.ts';
import { McpGuard } from './mcp-guard.ts';
import type { McpTool } from './mcp-guard.ts';
import { checkMcpOptions, MCP_GUARD_RULES, serverName } from './mcp-guard-options.ts';
import type { McpGuardOptions } from './mcp-guard-options.ts';

/** How the tools of a server of yours are run. */
export interface GuardServerOptions extends McpGuardOptions {
  /** What its tools' circuits are called by, where several servers share them. @defaultValue nothing */
  readonly server?: string;
}

/** How one tool of a server of yours is run. */
export interface GuardHandlerOptions extends GuardServerOptions {
  /** What the tool says of itself: one that is read-only or idempotent is retried. @defaultValue nothing */
  readonly annotations?: ToolAnnotations | undefined;
}

export const GUARD_SERVER_RULES: Readonly<Record<keyof GuardServerOptions, OptionRule>> = {
  ...MCP_GUARD_RULES,
  server: serverName,
};

const RULES = { ...GUARD_SERVER_RULES, annotations: object };

/**
 * A handler for `registerTool` behind a circuit, a limit of silence and, where the tool may be called twice,
 * retries. What it throws, and a refusal, is a result with `isError` that tells the model what to do.
 */
export function guardHandler<Args extends readonly unknown[], Result>(
  name: string,
  handler: (...args: Args) => Result | Promise<Result>,
  options: GuardHandlerOptions = {},
): (...args: Args) => Promise<Result> {
  checkMcpOptions(options, RULES, 'guardHandler');
  const guarded = guardWith(new McpGuard(options), name, handler, options);
  return (...args) => guarded(...args) as Promise<Result>;
}

/** The same, with a guard that several handlers share. */
export function guardWith(
  guard: McpGuard,
  name: string,
  handler: AnyFunction,
  { annotations = {}, server }: GuardHandlerOptions,
): (...given: readonly unknown[]) => Promise<unknown> {
  const problems = { name: text(name), handler: callable(handler) };
  if (problems.name !== undefined)
    throw new InvalidOptionError('guardHandler: name', problems.name, name);
  if (problems.handler !== undefined)
    throw new InvalidOptionError('guardHandler: handler', problems.handler, handler);
  const tool: McpTool = { name, server: () => server, parameters: undefined, annotations };
  return (...given) => {
    // A tool without a schema gets the context alone.
    const context = given.at(-1);
    const args = given.length > 1 ? given[0] : {};
    return guard.run({
      tool,
      arguments: isRecord(args) ? (args as JsonObject) : {},
      signal: signalIn(context),
      work: async (_args, attempt) => {
        const all = [...given.slice(0, -1), watchedContext(context, attempt)];
        return callFunction(handler, undefined, all);
      },
    });
  };
}
