import { isRecord } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { InvalidOptionError } from '../../errors.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import type { AnyFunction } from '../guarding/call-function.ts';
import { ClientGuard } from './client-guard.ts';
import { GUARD_CLIENT_RULES } from './guard-client-options.ts';
import type { AskedCall, GuardClientOptions } from './guard-client-options.ts';
import { checkMcpOptions } from './mcp-guard-options.ts';
import { withMethods } from '../guarding/with-methods.ts';

/** A `Client` of MCP's SDK, v1 or v2. */
export interface McpClient {
  callTool(...args: never[]): Promise<object>;
  listTools(...args: never[]): Promise<object>;
  getServerVersion(): { readonly name: string } | undefined;
}

/**
 * The client with its tool calls behind circuits, a limit of silence, careful retries and a check of arguments.
 * What fails comes back as a result with `isError`, in words for the model. All else is the client's own.
 */
export function guardClient<Client extends McpClient>(
  client: Client,
  options: GuardClientOptions = {},
): Client {
  checkMcpOptions(options, GUARD_CLIENT_RULES, 'guardClient');
  const guard = new ClientGuard(options, () => client.getServerVersion()?.name ?? 'mcp');
  const ask = async (method: string, args: readonly unknown[]): Promise<unknown> =>
    callFunction(methodOf(client, method), client, args);
  for (const method of ['callTool', 'listTools', 'getServerVersion']) methodOf(client, method);
  // v1 has the schema of the result before the options.
  const optionsAt = 'getProtocolEra' in client ? 1 : 2;
  return withMethods(client, {
    callTool: (params: unknown, ...others: readonly unknown[]) => {
      if (!isCall(params)) return ask('callTool', [params, ...others]);
      const given = others[optionsAt - 1];
      const before = optionsAt === 1 ? [] : [others[0]];
      return guard.call(params, isRecord(given) ? given : {}, (args, sdkOptions) =>
        ask('callTool', [{ ...params, arguments: args }, ...before, sdkOptions]),
      );
    },
    listTools: async (...args: readonly unknown[]) => {
      const page = await ask('listTools', args);
      guard.learn(page, !hasCursor(args[0]));
      return page;
    },
    // What the server asks of the client's user takes as long as people take.
    ...('setRequestHandler' in client && {
      setRequestHandler: (...args: readonly unknown[]) =>
        callFunction(methodOf(client, 'setRequestHandler'), client, [
          ...args.slice(0, -1),
          holding(args.at(-1), guard),
        ]),
    }),
  });
}

function isCall(params: unknown): params is AskedCall & UnknownRecord {
  if (!isRecord(params) || typeof params['name'] !== 'string') return false;
  return params['arguments'] === undefined || isRecord(params['arguments']);
}

function hasCursor(params: unknown): boolean {
  return isRecord(params) && params['cursor'] !== undefined;
}

function methodOf(client: McpClient, name: string): AnyFunction {
  const method: unknown = Reflect.get(client, name);
  if (isFunction(method)) return method;
  throw new InvalidOptionError(`guardClient: client.${name}`, 'a function', method);
}

function holding(handler: unknown, guard: ClientGuard): unknown {
  if (!isFunction(handler)) return handler;
  return (...args: readonly unknown[]) =>
    guard.holdWhile(() => callFunction(handler, undefined, args));
}
