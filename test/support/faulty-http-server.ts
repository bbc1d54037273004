import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** An MCP server over HTTP that misbehaves when it is asked to. */
export interface FaultyHttpServer {
  readonly url: string;
  /** What it was asked, in order: methods, and the names of tools. */
  readonly asked: readonly string[];
  /** How many calls were taken back: told so, or the connection was closed before the answer. */
  readonly takenBack: () => number;
  /** As after a restart: no session is known any more. */
  readonly forgetSessions: () => void;
  close(): Promise<void>;
}

export interface FaultyHttpOptions {
  readonly era: 'legacy' | 'modern';
  /** Of the answer to a session it does not know. The protocol says 404; many servers say 400. Default: 404. */
  readonly unknownSession?: 400 | 404;
}

interface Asked {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

const inputSchema = { type: 'object' };
const tools = [
  { name: 'hello', inputSchema },
  { name: 'hang', inputSchema },
  { name: 'end', inputSchema },
  { name: 'break', inputSchema },
  { name: 'flood', inputSchema },
  { name: 'end_reading', inputSchema, annotations: { readOnlyHint: true } },
];
const about = { capabilities: { tools: {} }, serverInfo: { name: 'faulty', version: '1.0.0' } };
const MODERN = '2026-07-28';
const HINTS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** Starts one on a free port, in this process. */
export async function startFaultyHttpServer(options: FaultyHttpOptions): Promise<FaultyHttpServer> {
  const { era, unknownSession = 404 } = options;
  const asked: string[] = [];
  const sessions = new Set<string>();
  let takenBack = 0;

  /** Begins an answer that never comes. */
  const answerBadly = (tool: string, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': working\n\n');
    if (tool === 'hang') {
      response.once('close', () => takenBack++);
      return;
    }
    // As an answer ends, or as a cable does.
    setTimeout(() => (tool === 'break' ? response.destroy() : response.end()), 50);
  };

  /** Sends progress 5,000 times before the answer. */
  const flood = ({ id, params }: Asked, response: ServerResponse): void => {
    const event = (message: object): string =>
      `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;
    const { progressToken } = params?._meta ?? {};
    const progress = { progressToken, progress: 1 };
    const result = { ...(era === 'modern' && HINTS), content: [] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event({ method: 'notifications/progress', params: progress }).repeat(5000));
    response.end(event({ id, result }));
  };

  const resultOf = ({ method, params }: Asked): object | undefined => {
    switch (method) {
      case 'initialize':
        return era === 'legacy' ? { protocolVersion: '2025-11-25', ...about } : undefined;
      case 'server/discover':
        return era === 'modern' ? { ...HINTS, supportedVersions: [MODERN], ...about } : undefined;
      case 'tools/list':
        return { ...(era === 'modern' && HINTS), tools };
      case 'tools/call':
        return params?.name === 'hello'
          ? { ...(era === 'modern' && HINTS), content: [{ type: 'text', text: 'hello' }] }
          : undefined;
      default:
        return undefined;
    }
  };

  /** Why a request is refused before it is looked at. */
  const refusalOf = (method: string, session: unknown): number | undefined => {
    if (era === 'modern' || method === 'initialize') return undefined;
    if (typeof session !== 'string') return 400;
    return sessions.has(session) ? undefined : unknownSession;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const message = JSON.parse(await readText(request)) as Asked;
    const { id, method, params } = message;
    asked.push(params?.name ?? method);
    const refusal = refusalOf(method, request.headers['mcp-session-id']);
    const result = resultOf(message);
    const send = (status: number, body: object, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    };
    if (refusal !== undefined) {
      send(refusal, { error: { code: -32_000, message: 'No valid session ID provided' } });
    } else if (id === undefined) {
      if (method === 'notifications/cancelled') takenBack++;
      response.writeHead(202).end();
    } else if (params?.name === 'flood') {
      flood(message, response);
    } else if (result === undefined && method === 'tools/call') {
      answerBadly(params?.name ?? '', response);
    } else if (result === undefined) {
      send(404, { error: { code: -32_601, message: `Method not found: ${method}` } });
    } else if (method === 'initialize') {
      const session = randomUUID();
      sessions.add(session);
      send(200, { result }, { 'mcp-session-id': session });
    } else {
      send(200, { result });
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    asked,
    takenBack: () => takenBack,
    forgetSessions: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
