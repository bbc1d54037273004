import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import { demoAnswer } from './demo-answer.ts';
import { ANY_MODEL, DEMO_MODELS } from './demo-models.ts';
import { chatBody, chatChunks, errorBody, modelsBody } from './demo-bodies.ts';
import { readDemoRequest } from './read-demo-request.ts';

export interface DemoUpstreamOptions {
  /** @defaultValue 0, any free port */
  readonly port?: number;
  /** Which dialect the model `demo` begins with, and which sentence is said. @defaultValue 0 */
  readonly seed?: number;
  /** Between two pieces of a stream, as if a model thought. @defaultValue 12 */
  readonly pauseMs?: number;
  readonly clock?: Clock;
}

export interface DemoUpstream {
  /** Up to the version: `http://127.0.0.1:41234/v1`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Agents send tens of kilobytes with every turn, images more. */
const MAX_REQUEST_BYTES = 32 * 1024 * 1024;

/** Starts a server that answers like a local model whose calls nobody parses. Loopback only. */
export async function startDemoUpstream(options: DemoUpstreamOptions = {}): Promise<DemoUpstream> {
  const { port = 0, seed = 0, pauseMs = 12, clock = systemClock } = options;
  const models = [ANY_MODEL, ...DEMO_MODELS.map(({ id }) => id)];
  let turns = seed;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?', 1)[0] ?? '';
    if (request.method === 'GET' && path === '/v1/models') {
      sendJson(response, 200, modelsBody(models));
    } else if (request.method === 'POST' && path === '/v1/chat/completions') {
      await complete(request, response);
    } else {
      const message = `${request.method ?? ''} ${path} does not exist; there are GET /v1/models and POST /v1/chat/completions`;
      sendJson(response, 404, errorBody(message));
    }
  };

  const complete = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(incoming);
    if (body === undefined) {
      sendJson(response, 413, errorBody(`expected at most ${MAX_REQUEST_BYTES} bytes`));
      return;
    }
    const request = readDemoRequest(body);
    if (request === undefined) {
      sendJson(response, 400, errorBody('expected a JSON object with a list "messages"'));
      return;
    }
    const turn = turns++;
    const found = DEMO_MODELS.find(({ id }) => id === request.model);
    // A local server answers with the model it has, whatever name is asked for.
    const model = found ?? DEMO_MODELS[turn % DEMO_MODELS.length];
    if (model === undefined) return;
    const pieces = piecesOf(demoAnswer(request, model, turn));
    const told = pieces.slice(0, Math.max(0, request.maxTokens));
    const turnOf = {
      id: `chatcmpl-demo-${turn}`,
      model: model.id,
      pieces: told,
      finishReason: told.length < pieces.length ? 'length' : 'stop',
      promptTokens: Math.ceil(request.promptCharacters / 4),
    } as const;
    if (!request.isStream) {
      await pause(clock, pauseMs, response);
      sendJson(response, 200, chatBody(turnOf));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const chunk of chatChunks(turnOf, request.wantsUsage)) {
      await pause(clock, pauseMs, response);
      if (response.destroyed) return;
      response.write(chunk);
    }
    response.end();
  };

  const server = createServer({ noDelay: true }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** About as a model writes: up to six characters, and the space before them. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S{1,6}|\s+/gu) ?? [];
}

/** Ends early when the client goes away. */
async function pause(clock: Clock, ms: number, response: ServerResponse): Promise<void> {
  if (ms <= 0 || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const cancel = clock.setTimer(done, ms);
    function done(): void {
      cancel();
      response.off('close', done);
      resolve();
    }
    response.once('close', done);
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', server: 'holdfast-demo' });
  response.end(JSON.stringify(body));
}

/** Undefined when it is too large. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
