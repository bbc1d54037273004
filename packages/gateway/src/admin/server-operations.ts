import type { JsonObject } from '@holdfast/core';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { RequestError } from '../http/request-error.ts';
import { objectOf } from '../proxy/json/json-fields.ts';
import type { AdminOperation } from './admin-operation.ts';
import { count, fields, list, oneOf, orNull, said, text, time } from './schema-words.ts';

export interface ServerMeans {
  /** What the gateway is called in the history and in a fleet. */
  readonly gateway: () => string;
  /** The configuration in force. */
  readonly config: () => GatewayConfig;
  /** How each MCP server is, by its name, without secrets. Default: there are none. */
  readonly servers?: () => JsonObject;
  /** Reconnects a server. Returns false for an unknown name. Default: there are no servers. */
  readonly reconnectServer?: (server: string) => Promise<boolean>;
}

const SERVER = fields({
  name: text,
  transport: said(oneOf('stdio', 'http', 'sse'), 'How it is reached.'),
  state: said(
    oneOf('new', 'connecting', 'connected', 'waiting', 'closed'),
    'waiting: it is lost, and tried again by itself.',
  ),
  since: said(time, 'Since when it is connected, or is not.'),
  last_error: said(
    orNull(fields({ at: time, message: text })),
    'Why a connection was last lost or could not be made.',
  ),
  protocol_version: orNull(text),
  tools: said(count, 'How many of its tools are offered.'),
  reconnects: count,
  running_requests: count,
});

/** How the MCP servers are, and what a person can do about one that is lost. */
export function serverOperations(means: ServerMeans): readonly AdminOperation[] {
  const { reconnectServer = () => Promise.resolve(false) } = means;
  return [
    {
      method: 'GET',
      path: '/api/v1/gateway',
      id: 'get_gateway',
      summary: 'What the gateway is called, and how many upstreams and MCP servers it has.',
      gives: fields({
        name: said(text, 'As in its history, and in a fleet.'),
        upstreams: count,
        servers: count,
      }),
      run: () => ({
        name: means.gateway(),
        upstreams: means.config().upstreams.length,
        servers: means.config().mcp?.servers.length ?? 0,
      }),
    },
    {
      method: 'GET',
      path: '/api/v1/servers',
      id: 'list_servers',
      summary: 'The MCP servers of the gateway and their states.',
      gives: fields({ servers: list(SERVER) }),
      run: () => ({ servers: serversOf(means) }),
    },
    {
      method: 'POST',
      path: '/api/v1/servers/{name}/reconnect',
      id: 'reconnect_server',
      summary: 'Reconnects an MCP server; its running calls fail. The response is its new state.',
      gives: SERVER,
      errors: { 404: 'There is no server of this name.' },
      run: async ({ path }) => {
        const { name = '' } = path;
        const isThere = await reconnectServer(name);
        const server = isThere ? serversOf(means).find((each) => each['name'] === name) : undefined;
        if (server !== undefined) return server;
        throw new RequestError(404, 'not-found', 'there is no MCP server of this name');
      },
    },
  ];
}

function serversOf({ config, servers = () => ({}) }: ServerMeans): readonly JsonObject[] {
  const known = servers();
  return (config().mcp?.servers ?? []).flatMap(({ name, via }) => {
    if (!Object.hasOwn(known, name)) return [];
    const { state = 'new', since = null, ...about } = objectOf(known[name]);
    return [
      {
        name,
        transport: via.kind,
        state,
        since,
        last_error: about['last_error'] ?? null,
        protocol_version: about['protocol_version'] ?? null,
        tools: about['tools'] ?? 0,
        reconnects: about['reconnects'] ?? 0,
        running_requests: about['running_requests'] ?? 0,
      },
    ];
  });
}
