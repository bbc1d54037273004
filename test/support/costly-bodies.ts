import { createServer, request } from 'node:http';
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

const MB = 1024 * 1024;
/** The most bytes that a request, a response and a request to the API may have with defaults. */
const REQUEST = 32 * MB;
const RESPONSE = 16 * MB;
const API = MB;

/** Something that costs the gateway as much as it can. */
export interface CostlyBody {
  readonly name: string;
  /** How much memory the gateway may take for it, in bytes. */
  readonly mostBytes: number;
  /** The statuses that the gateway may answer with. */
  readonly statuses: readonly number[];
  readonly path: string;
  readonly body: () => string;
  /** How many such requests are sent at once. @defaultValue 1 */
  readonly atOnce?: number;
  /** What its upstream answers. @defaultValue a short response */
  readonly answer?: (response: ServerResponse) => Promise<void>;
}

/** Eight times the limit, and what a process takes besides. */
const memoryFor = (limit: number): number => 8 * limit + 64 * MB;

const fill = (unit: string, length: number): string =>
  unit.repeat(Math.floor(length / unit.length));

const chat = (messages: string, stream = false, tools = ''): string =>
  `{"model":"costly","stream":${stream}${tools},"messages":[${messages}]}`;
const HELLO = '{"role":"user","content":"Hello."}';
const TOOLS =
  ',"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}}]';

const whole = (message: string): string =>
  `{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",${message}},"finish_reason":"stop"}]}`;
const chunk = (delta: string): string =>
  `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":null}]}\n\n`;

const asJson = (make: () => string) => async (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  await write(response, make());
  response.end();
};

const asStream = (make: () => string) => async (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  await write(response, make());
  response.end();
};

async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const unit = chunk(`{"content":"${fill('word ', 20_000)}"}`);
  while (!response.destroyed) await write(response, unit);
}

async function write(response: ServerResponse, text: string): Promise<void> {
  for (let from = 0; from < text.length && !response.destroyed; from += 65_536) {
    if (response.write(text.slice(from, from + 65_536))) continue;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        response.off('drain', go).off('close', go);
        resolve();
      };
      response.on('drain', go).on('close', go);
    });
  }
}

const call = (index: number): string =>
  `{"index":${index},"id":"call_${index}","type":"function","function":{"name":"look","arguments":"{}"}}`;

const forResponse = (
  name: string,
  statuses: readonly number[],
  answer: CostlyBody['answer'],
  stream = false,
): CostlyBody => ({
  name,
  statuses,
  mostBytes: memoryFor(RESPONSE),
  path: '/v1/chat/completions',
  body: () => chat(HELLO, stream, TOOLS),
  ...(answer !== undefined && { answer }),
});

const forRequest = (
  name: string,
  statuses: readonly number[],
  messages: () => string,
): CostlyBody => ({
  name,
  statuses,
  mostBytes: memoryFor(REQUEST),
  path: '/v1/chat/completions',
  body: () => chat(messages()),
});

/** Bodies that took the gateway down or held up its clients, at and beyond the default limits. */
export const COSTLY_BODIES: readonly CostlyBody[] = [
  forResponse(
    'a response of 60 MB of {}',
    [502],
    asJson(() => `{"choices":[${fill('{},', 60 * MB)}{}]}`),
  ),
  forResponse(
    'a response of as many values as there may be',
    [200],
    asJson(() => whole(`"content":"x","more":[${'{},'.repeat(260_000)}{}]`)),
  ),
  forResponse(
    'a response of 15 MB of text',
    [200],
    asJson(() => whole(`"content":"${fill('One word. ', 15 * MB)}"`)),
  ),
  forResponse(
    'a response of what looks like calls',
    [200],
    asJson(() => whole(`"content":${JSON.stringify(fill('<tool_call>{', 4 * MB))}`)),
  ),
  forResponse(
    'an event of what looks like calls',
    [200],
    asStream(
      () =>
        `${chunk(`{"content":${JSON.stringify(fill('<tool_call>{', 3 * MB))}}`)}data: [DONE]\n\n`,
    ),
    true,
  ),
  forResponse(
    'a response of 70,000 native calls',
    [200],
    asJson(() =>
      whole(
        `"content":null,"tool_calls":[${Array.from({ length: 70_000 }, (_, at) => call(at)).join()}]`,
      ),
    ),
  ),
  forResponse('a stream without end for a client that wants none', [502], endless),
  forRequest(
    'a request of 31 MB of text',
    [200],
    () => `{"role":"user","content":"${fill('One word. ', 31 * MB)}"}`,
  ),
  forRequest(
    'a request of 31 MB of escapes that is written again',
    [200],
    () => `${HELLO},{"role":"system","content":"${fill(String.raw`\"\n`, 31 * MB)}"}`,
  ),
  forRequest('a request of 200,000 messages', [200], () =>
    Array<string>(200_000).fill(HELLO).join(),
  ),
  forRequest(
    'a request of 31 MB of {}',
    [413],
    () => `{"role":"user","content":"x","more":[${fill('{},', 31 * MB)}{}]}`,
  ),
  forRequest('a request of 31 MB of brackets', [400], () => fill('[', 31 * MB)),
  {
    ...forRequest(
      'four requests of 31 MB at once',
      [200],
      () => `{"role":"user","content":"${fill('One word. ', 31 * MB)}"}`,
    ),
    atOnce: 4,
    mostBytes: memoryFor(4 * REQUEST),
  },
  {
    name: '32 MB to a route of the API',
    statuses: [413],
    mostBytes: memoryFor(API),
    path: '/api/v1/classify',
    body: () => `{"a":"${fill('x', 32 * MB)}"}`,
  },
  {
    name: 'a text of 31 MB to be parsed',
    statuses: [200],
    mostBytes: memoryFor(REQUEST),
    path: '/api/v1/parse',
    body: () => `{"text":"${fill('One <b word. ', 31 * MB)}"}`,
  },
];

export interface CostlyUpstream {
  /** Up to the version. It has the model `costly`, and answers whoever else asks at once. */
  readonly url: string;
  /** From the next request on, the model `costly` answers for this body. */
  answerFor(costly: CostlyBody): void;
  close(): Promise<void>;
}

/** A model server that answers with costly bodies. */
export async function startCostlyUpstream(): Promise<CostlyUpstream> {
  let current: CostlyBody | undefined;
  const short = asJson(() => whole('"content":"Yes."'));
  const server = createServer((incoming, response) => {
    let head = '';
    incoming.on('data', (bytes: Buffer) => {
      if (head.length < 100) head += bytes.subarray(0, 100).toString('latin1');
    });
    incoming.on('end', () => {
      const answer = head.includes('"costly"') ? current?.answer : undefined;
      (answer ?? short)(response).catch(() => undefined);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    answerFor: (costly) => void (current = costly),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Sends it to a gateway, and returns the statuses of the responses. */
export async function sendCostly(gateway: string, costly: CostlyBody): Promise<readonly number[]> {
  const body = Buffer.from(costly.body());
  return Promise.all(
    Array.from({ length: costly.atOnce ?? 1 }, () => sendBytes(gateway + costly.path, body)),
  );
}

/** Node's own client: that of `fetch` takes a request for failed that is answered before it is sent. */
function sendBytes(url: string, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request(url, { method: 'POST', headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
      response.resume();
    });
    let isAnswered = false;
    sent.on('response', () => (isAnswered = true));
    sent.on('error', (error) => {
      if (!isAnswered) reject(error);
    });
    sent.end(body);
  });
}
