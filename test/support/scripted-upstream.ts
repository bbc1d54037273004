import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { contentTypeOf, cutBytes } from './scripted-answer.ts';
import type { ScriptedAnswer } from './scripted-answer.ts';

/** A request as it came, and what became of it. */
export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body, read as JSON; undefined where it is none. */
  readonly json: unknown;
  /** Whether the client went away before the answer was over. */
  readonly aborted: boolean;
  /** Resolves when the answer is over, or the client or the connection gone. */
  readonly over: Promise<void>;
}

/** One answer for every request, or what gives the answer to each; `index` counts the requests from 0. */
export type Script =
  | ScriptedAnswer
  | ((request: RecordedRequest, index: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export interface ScriptedUpstream {
  /** Up to the version, as an upstream is configured: `http://127.0.0.1:41234/v1`. */
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly RecordedRequest[];
  /** From the next request on. */
  answerWith(script: Script): void;
  /** Ends every connection. */
  close(): Promise<void>;
}

/** A model server that answers by script, on a free port of the loopback address. */
export async function startScriptedUpstream(script: Script): Promise<ScriptedUpstream> {
  const requests: RecordedRequest[] = [];
  let current = script;
  // A busy machine may leave a connection unused for longer than Node keeps one, and a client that takes it then is reset.
  const server = createServer({ noDelay: true, keepAliveTimeout: 60_000 }, (incoming, response) => {
    void record(incoming, response).then(
      async (request) => {
        const index = requests.push(request) - 1;
        const answer = typeof current === 'function' ? await current(request, index) : current;
        await give(answer, response);
      },
      () => undefined,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/v1`,
    origin,
    port,
    requests,
    answerWith: (next) => void (current = next),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Rejects when the client goes away before its request is there. */
async function record(
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<RecordedRequest> {
  const closed = once(response, 'close').then(() => undefined);
  const body = await readAll(incoming);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    json: readJson(body),
    // A connection that the script itself broke is not the client's doing.
    get aborted() {
      return response.destroyed && !response.writableEnded && !broken.has(response);
    },
    over: closed,
  };
}

/** Responses whose connection the script broke. */
const broken = new WeakSet<ServerResponse>();

async function give(answer: ScriptedAnswer, response: ServerResponse): Promise<void> {
  const { status = 200, body, gzip = false, cut = 'whole', pauseMs = 0, silentMs = 0 } = answer;
  if (silentMs > 0) await sleep(silentMs);
  const plain = typeof body === 'string' ? Buffer.from(body) : body;
  const bytes = gzip ? gzipSync(plain) : plain;
  response.writeHead(status, {
    'content-type': contentTypeOf(body),
    ...(gzip ? { 'content-encoding': 'gzip' } : {}),
    ...answer.headers,
  });
  response.flushHeaders();
  const pieces = cutBytes(bytes.subarray(0, answer.stopAt ?? bytes.length), cut);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await (pauseMs > 0 ? sleep(pauseMs) : nextTurn());
    if (response.destroyed) return;
    await write(piece, response);
  }
  await finish(answer.then ?? 'end', response);
}

async function finish(how: ScriptedAnswer['then'], response: ServerResponse): Promise<void> {
  if (how === 'stall') return;
  if (how === 'end') {
    response.end();
    return;
  }
  broken.add(response);
  // What was written has to be read before, or the reset takes it away.
  await sleep(10);
  if (how === 'reset') response.socket?.resetAndDestroy();
  else response.socket?.destroy();
}

/** Waits for a client that reads slowly. */
async function write(piece: Uint8Array, response: ServerResponse): Promise<void> {
  if (response.write(piece)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waiting.abort();
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
