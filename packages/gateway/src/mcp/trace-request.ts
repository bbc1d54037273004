import type { JsonObject } from '@holdfast/core';
import { ToolTimeoutError } from '@holdfast/core/guard';
import { UNLISTED_ATTRIBUTE } from '../observe/unlisted-tool.ts';
import { objectOf, textOf } from '../proxy/json/json-fields.ts';
import type { Attributes, OperationEnd } from '../telemetry/operation.ts';
import { NO_TELEMETRY } from '../telemetry/telemetry.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { readTraceContext } from '../telemetry/trace-context.ts';
import type { TraceContext } from '../telemetry/trace-context.ts';
import type { CallWatch } from './call/call-watch.ts';
import { NotSentError } from './call/not-sent-error.ts';
import { isProtocolError } from './call/protocol-error.ts';
import type { Exchange, Message } from './exchange.ts';
import type { UpstreamServer } from './upstream/upstream-server.ts';

/** Answers a request of a client, and tells of it. What it leads to belongs to it, by the context in its `_meta`. */
export async function traceServed(
  telemetry: Telemetry,
  message: Message,
  exchange: Exchange,
  serve: (message: Message) => Promise<JsonObject>,
  isListed: (tool: string) => boolean,
): Promise<JsonObject> {
  if (telemetry === NO_TELEMETRY) return serve(message);
  const { client, requestId, signal } = exchange;
  const { params = {} } = message;
  const meta = objectOf(params['_meta']);
  const parent = readTraceContext(meta);
  const operation = telemetry.begin({
    name: nameOf(message),
    kind: 'server',
    attributes: {
      ...attributesOf(message),
      ...(requestId !== undefined && { 'jsonrpc.request.id': String(requestId) }),
      'network.transport': client.transport,
      'mcp.protocol.version': client.protocolVersion,
    },
    parent,
  });
  // Known only at the end: the first call has the tools listed.
  const end = (how: OperationEnd): void => {
    const isUnlisted = message.method === 'tools/call' && !isListed(textOf(params['name']));
    operation.end(isUnlisted ? { ...how, attributes: { ...how.attributes, ...UNLISTED } } : how);
  };
  const { context } = operation;
  const traced =
    context === parent
      ? message
      : { ...message, params: { ...params, _meta: { ...meta, ...context } } };
  return operation.run(async () => {
    try {
      const reply = await serve(traced);
      end(endOf(reply));
      return reply;
    } catch (error) {
      end(failureOf(error, signal));
      throw error;
    }
  });
}

/**
 * Asks a server, and tells of it. `send` is given what the server is to know of the trace, in `_meta` and, where it
 * is reached over HTTP, in headers: what stands between reads those.
 */
export async function traceAsked(
  telemetry: Telemetry,
  message: Message,
  { config, current }: UpstreamServer,
  { watch, isUnlisted }: { readonly watch: CallWatch; readonly isUnlisted?: boolean | undefined },
  send: (context: TraceContext, headers: TraceContext) => Promise<JsonObject>,
): Promise<JsonObject> {
  const parent = readTraceContext(objectOf(message.params?.['_meta']));
  if (telemetry === NO_TELEMETRY) return send(parent, parent);
  const { via } = config;
  // Looked at before it is too late: it says why the call failed.
  const { signal } = watch;
  const operation = telemetry.begin({
    name: nameOf(message),
    kind: 'client',
    attributes: {
      ...attributesOf(message),
      'holdfast.mcp.server': config.name,
      'mcp.protocol.version': current?.protocolVersion,
      'network.transport': via.kind === 'stdio' ? 'pipe' : 'tcp',
      ...(via.kind !== 'stdio' && addressOf(via.url)),
      ...(isUnlisted === true && UNLISTED),
    },
    parent,
  });
  return operation.run(async () => {
    try {
      const reply = await send(operation.context, operation.headers);
      operation.end(endOf(reply));
      return reply;
    } catch (error) {
      operation.end(failureOf(error, signal));
      throw error;
    }
  });
}

/** Metrics do not have the name of a tool that no server lists: a client may have invented it. */
const UNLISTED = { [UNLISTED_ATTRIBUTE]: true } as const;

/** `tools/call get_weather`. Addresses of resources are too many for names. */
function nameOf({ method, params = {} }: Message): string {
  const { name } = params;
  return isNamed(method) && typeof name === 'string' ? `${method} ${name}` : method;
}

function attributesOf({ method, params = {} }: Message): Attributes {
  const { name, uri } = params;
  const isTool = method === 'tools/call';
  return {
    'mcp.method.name': method,
    ...(isTool && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(isNamed(method) &&
      typeof name === 'string' && { [isTool ? 'gen_ai.tool.name' : 'gen_ai.prompt.name']: name }),
    ...(method.startsWith('resources/') && typeof uri === 'string' && { 'mcp.resource.uri': uri }),
  };
}

function isNamed(method: string): boolean {
  return method === 'tools/call' || method === 'prompts/get';
}

function addressOf(url: string): Attributes {
  const { hostname, port, protocol } = new URL(url);
  return {
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  };
}

function endOf(reply: JsonObject): OperationEnd {
  return reply['isError'] === true ? { errorType: 'tool_error' } : {};
}

/** An error of the protocol is told by its number; what else can happen has a word. */
function failureOf(error: unknown, signal: AbortSignal): OperationEnd {
  const said = error instanceof Error ? { message: error.message } : {};
  if (isProtocolError(error)) {
    const code = String(error.code);
    return { errorType: code, ...said, attributes: { 'rpc.response.status_code': code } };
  }
  const causes = [error, signal.aborted ? signal.reason : undefined];
  if (causes.some((cause) => cause instanceof ToolTimeoutError))
    return { errorType: 'timeout', ...said };
  if (signal.aborted) return { errorType: 'cancelled', ...said };
  if (error instanceof NotSentError) return { errorType: 'not_sent', ...said };
  return { errorType: error instanceof Error ? error.name : '_OTHER', ...said };
}
