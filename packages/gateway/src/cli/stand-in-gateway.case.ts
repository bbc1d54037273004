import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What answers in place of a gateway, on a port of its own. */
export interface StandInGateway {
  readonly url: string;
  /** What it was asked, as `GET /path` or `POST /path {body}`. */
  readonly asked: readonly string[];
  /** Streams of events that are open. */
  readonly streams: readonly EventStream[];
  /** What is answered from now on, by path; what is not there is 404. */
  answers: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

export interface EventStream {
  readonly query: string;
  readonly lastEventId: string | undefined;
  send(type: string, data: object, id?: number): void;
  end(): void;
}

/** Starts one, on a given port or any that is free. */
export async function standInGateway(
  answers: StandInGateway['answers'],
  port = 0,
): Promise<StandInGateway> {
  const asked: string[] = [];
  const streams: EventStream[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    const [path = '', query = ''] = url.split('?');
    void bodyOf(request).then((body) => {
      asked.push(`${method} ${url}${body === '' ? '' : ` ${body}`}`);
      if (path === '/api/v1/events') streams.push(openStream(request, response, query));
      else answer(response, gateway.answers[path]);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const gateway: StandInGateway = {
    url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`,
    asked,
    streams,
    answers,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function answer(response: ServerResponse, body: unknown): void {
  const error = { error: { type: 'not_found_error', message: 'there is no such thing here' } };
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? error));
}

function openStream(
  request: IncomingMessage,
  response: ServerResponse,
  query: string,
): EventStream {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  return {
    query,
    lastEventId: request.headers['last-event-id']?.toString(),
    send: (type, data, id) => {
      const head = id === undefined ? '' : `id: ${id}\n`;
      response.write(`${head}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    end: () => response.end(),
  };
}
