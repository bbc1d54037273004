import { isRecord } from '../../advise/conversation/record.ts';
import { InvalidOptionError } from '../../errors.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import { GUARD_SERVER_RULES, guardWith } from './guard-handler.ts';
import type { GuardServerOptions } from './guard-handler.ts';
import { McpGuard } from './mcp-guard.ts';
import { checkMcpOptions } from './mcp-guard-options.ts';
import { withMethods } from '../guarding/with-methods.ts';

/** An `McpServer` of MCP's SDK, v1 or v2. */
export interface McpToolServer {
  registerTool(...args: never[]): unknown;
}

/** The server with every tool that is registered from now on behind a guard, as `guardHandler` does for one. */
export function guardServer<Server extends McpToolServer>(
  server: Server,
  options: GuardServerOptions = {},
): Server {
  checkMcpOptions(options, GUARD_SERVER_RULES, 'guardServer');
  const guard = new McpGuard(options);
  const register = (method: string): ((...args: readonly unknown[]) => unknown) => {
    const own: unknown = Reflect.get(server, method);
    if (!isFunction(own))
      throw new InvalidOptionError(`guardServer: server.${method}`, 'a function', own);
    return (...args) => {
      const [name, config] = args;
      const handler = args.at(-1);
      if (typeof name !== 'string' || !isFunction(handler)) return callFunction(own, server, args);
      const annotations = isRecord(config) ? config['annotations'] : undefined;
      const about = { ...options, ...(isRecord(annotations) && { annotations }) };
      const guarded = guardWith(guard, name, handler, about);
      return callFunction(own, server, [...args.slice(0, -1), guarded]);
    };
  };
  return withMethods(server, {
    registerTool: register('registerTool'),
    // What v1 still has beside it.
    ...('tool' in server && { tool: register('tool') }),
  });
}
