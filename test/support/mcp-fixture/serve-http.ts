import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import type { FixtureChanges } from './fixture-changes.ts';
import { KeptEvents } from './kept-events.ts';
import { makeFixtureServer } from './make-fixture-server.ts';
import type { FixtureServer } from './make-fixture-server.ts';

interface Session extends FixtureServer {
  readonly transport: NodeStreamableHTTPServerTransport;
}

export interface HttpFixture {
  /** With the path: `http://127.0.0.1:41234/mcp`. */
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpFixtureOptions {
  /** @defaultValue 0, any that is free */
  readonly port?: number;
  /** Knows nothing later than 2025-11-25. @defaultValue false */
  readonly legacyOnly?: boolean;
}

/** Serves the fixture on one URL: with sessions for clients of 2025-11-25 and earlier, without for 2026-07-28. */
export async function serveHttpFixture(options: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const { port = 0, legacyOnly = false } = options;
  const sessions = new Map<string, Session>();
  const modern = createMcpHandler(() => makeFixtureServer(changes).server, { legacy: 'reject' });
  const answerModern = toNodeHandler(modern);
  const changes: FixtureChanges = {
    shown: { tool: false, prompt: false },
    notify: {
      toolsChanged: () => {
        modern.notify.toolsChanged();
        for (const { update } of sessions.values()) update();
      },
      promptsChanged: () => {
        modern.notify.promptsChanged();
        for (const { update } of sessions.values()) update();
      },
      resourceUpdated: (uri) => {
        modern.notify.resourceUpdated(uri);
        for (const { server } of sessions.values()) void server.server.sendResourceUpdated({ uri });
      },
    },
  };

  async function openSession(): Promise<Session> {
    const fixture = makeFixtureServer(changes);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { ...fixture, transport }),
      onsessionclosed: (id) => void sessions.delete(id),
      eventStore: new KeptEvents(),
      retryInterval: 100,
    });
    await fixture.server.connect(transport);
    return { ...fixture, transport };
  }

  async function answerLegacy(request: IncomingMessage, response: ServerResponse, body: unknown) {
    const id = request.headers['mcp-session-id'];
    const known = sessions.get(String(id));
    if (known !== undefined) return known.transport.handleRequest(request, response, body);
    if (id === undefined && isInitializeRequest(body)) {
      return (await openSession()).transport.handleRequest(request, response, body);
    }
    const error = { code: -32_000, message: id === undefined ? 'No session' : 'No such session' };
    response.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (request.method !== 'POST') return answerLegacy(request, response, undefined);
    const read = await toWebRequest(request as NodeIncomingMessageLike);
    const isLegacy = legacyOnly || (await isLegacyRequest(read));
    const body: unknown = await read.json();
    if (isLegacy) await answerLegacy(request, response, body);
    else await answerModern(request as NodeIncomingMessageLike, response, body);
  }

  const isHostAllowed = localhostHostValidation();
  const isOriginAllowed = localhostOriginValidation();
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400);
      response.end(String(error));
    });
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      await modern.close();
      await Promise.all(Array.from(sessions.values(), ({ server }) => server.close()));
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
