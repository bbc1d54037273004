import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text as textOf } from 'node:stream/consumers';
import express from 'express';
import express4 from 'express-4';
import { fastify } from 'fastify';
import { fastify as fastify4 } from 'fastify-4';
import { ConfigError, createHandler, startGateway } from 'holdfast';
import type { HandlerConfig, HandlerOptions } from 'holdfast';
import { holdfastMiddleware } from 'holdfast/express';
import { holdfastPlugin } from 'holdfast/fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { SAMPLE_TOOLS } from './support/sample-calls.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

/** An app with Holdfast in it, behind `/ai`. */
interface App {
  readonly origin: string;
  readonly closeHoldfast: () => Promise<void>;
}

type Mount = (config: HandlerConfig, options?: Omit<HandlerOptions, 'basePath'>) => Promise<App>;

const quiet = { write: (): void => undefined };

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const inNode: Mount = async (config, options) => {
  const handler = await createHandler(config, { logTo: quiet, basePath: '/ai', ...options });
  onTestFinished(() => handler.close());
  const listener: RequestListener = (request, response) => {
    if (request.url === '/hello') response.end('hello');
    else handler(request, response);
  };
  return { origin: await listening(createServer(listener)), closeHoldfast: () => handler.close() };
};

const inExpress: Mount = async (config, options) => {
  const middleware = await holdfastMiddleware(config, { logTo: quiet, ...options });
  onTestFinished(() => middleware.close());
  const app = express();
  app.use('/ai', middleware);
  app.use(express.json());
  app.get('/hello', (_request, response) => void response.send('hello'));
  app.post('/echo', (request, response) => void response.json(request.body));
  return { origin: await listening(createServer(app)), closeHoldfast: () => middleware.close() };
};

/** The same with the major version before: its types are others, and have to fit as well. */
const inExpress4: Mount = async (config, options) => {
  const middleware = await holdfastMiddleware(config, { logTo: quiet, ...options });
  onTestFinished(() => middleware.close());
  const app = express4();
  app.use('/ai', middleware);
  app.use(express4.json());
  app.get('/hello', (_request, response) => void response.send('hello'));
  app.post('/echo', (request, response) => void response.json(request.body));
  return { origin: await listening(createServer(app)), closeHoldfast: () => middleware.close() };
};

const inFastify: Mount = async (config, options) => {
  const app = fastify();
  onTestFinished(async () => {
    const closed = app.close();
    // `fetch` opens a new connection for a request that was aborted and sends nothing on it; Node, and so
    // Fastify, waits for such a connection as long as for one whose headers are to come: up to a minute.
    app.server.closeAllConnections();
    await closed;
  });
  await app.register(holdfastPlugin, { prefix: '/ai', config, logTo: quiet, ...options });
  app.get('/hello', () => 'hello');
  app.post('/echo', (request) => request.body);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, closeHoldfast: () => app.close() };
};

const inFastify4: Mount = async (config, options) => {
  const app = fastify4();
  onTestFinished(async () => {
    const closed = app.close();
    app.server.closeAllConnections();
    await closed;
  });
  await app.register(holdfastPlugin, { prefix: '/ai', config, logTo: quiet, ...options });
  app.get('/hello', () => 'hello');
  app.post('/echo', (request) => request.body);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, closeHoldfast: () => app.close() };
};

const APPS = [
  { app: 'node:http', mount: inNode },
  { app: 'Express 5', mount: inExpress },
  { app: 'Express 4', mount: inExpress4 },
  { app: 'Fastify 5', mount: inFastify },
  { app: 'Fastify 4', mount: inFastify4 },
];

const CALL =
  'Let me look. <tool_call>{"name": "read_file", "arguments": {"path": "a.md",}}</tool_call>';
const JSON_TYPE = { 'content-type': 'application/json' };
const turn = (stream: boolean): string =>
  JSON.stringify({
    model: 'qwen',
    stream,
    tools: SAMPLE_TOOLS,
    messages: [{ role: 'user', content: 'Look.' }],
  });

const post = (url: string, body: string, headers = {}): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body });

/** A request whose headers `fetch` would not let through. */
function rawPost(
  url: string,
  headers: Record<string, string>,
  body = '',
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers } });
    asked.on('response', resolve).on('error', reject).end(body);
  });
}

interface Refusal {
  readonly error: { readonly message: string };
}

describe.each(APPS)('Holdfast mounted in $app', ({ app, mount }) => {
  let upstream: ScriptedUpstream;
  let config: HandlerConfig;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(({ json }) => {
      const { stream } = json as { readonly stream: boolean };
      return { body: stream ? chatStreamOf(CALL, { cut: 5 }) : chatBodyOf(CALL) };
    });
    config = { upstreams: [{ url: upstream.url }], proxy: { maxRequestBytes: 10_000 } };
  });

  afterAll(() => upstream.close());

  it('is the proxy that it is by itself', async () => {
    const { origin } = await mount(config);
    const alone = await startGateway({ ...config, listen: '127.0.0.1:0' }, { logTo: quiet });
    onTestFinished(() => alone.close());
    const answer = await post(`${origin}/ai/v1/chat/completions`, turn(false));
    const { choices } = (await answer.json()) as { choices: { message: object }[] };

    expect(answer.status).toBe(200);
    expect(choices[0]?.message).toMatchObject({
      content: 'Let me look. ',
      tool_calls: [{ function: { name: 'read_file', arguments: '{"path":"a.md"}' } }],
    });

    const streams = await Promise.all(
      [`${origin}/ai`, alone.url].map(async (url) =>
        (await post(`${url}/v1/chat/completions`, turn(true))).text(),
      ),
    );
    const known = streams.map((each) => each.replaceAll(/call_\w+/g, 'call_1'));
    expect(known[0]).toBe(known[1]);
    expect(known[0]).toContain('"name":"read_file"');
  });

  it('streams what a model says as it says it, and stops it when the client goes', async () => {
    const stream = chatStreamOf('I am still thinking about it.', { cut: 5 });
    const slow = await startScriptedUpstream({ body: stream, stopAt: 700, then: 'stall' });
    onTestFinished(() => slow.close());
    const { origin } = await mount({ upstreams: [{ url: slow.url }] });
    const controller = new AbortController();
    const answer = await fetch(`${origin}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: turn(true),
      signal: controller.signal,
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('I am')) seen += (await reader.read()).value ?? '';
    controller.abort();
    await slow.requests[0]!.over;

    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    expect(slow.requests[0]!.aborted).toBe(true);
  });

  it('is the sidecar', async () => {
    const { origin } = await mount({});
    const answer = await post(`${origin}/ai/api/v1/parse`, JSON.stringify({ text: CALL }));

    expect(await answer.json()).toMatchObject({ calls: [{ name: 'read_file' }] });
    expect((await post(`${origin}/ai/v1/chat/completions`, turn(false))).status).toBe(404);
  });

  it('leaves the rest of the app alone', async () => {
    const { origin } = await mount(config);

    expect(await (await fetch(`${origin}/hello`)).text()).toBe('hello');
    expect((await fetch(`${origin}/ai/hello`)).status).toBe(404);
    expect((await fetch(`${origin}/aivy/v1/models`)).status).toBe(404);
    if (app === 'node:http') return;
    expect(await (await post(`${origin}/echo`, '{"a":1}')).json()).toEqual({ a: 1 });
  });

  it('lets in by the rules of a gateway', async () => {
    const { origin } = await mount({ ...config, token: 's3cret-token' });
    const url = `${origin}/ai/v1/chat/completions`;
    const token = { authorization: 'Bearer s3cret-token' };

    expect((await post(url, turn(false))).status).toBe(401);
    expect((await post(url, turn(false), token)).status).toBe(200);
    const evil = { ...token, origin: 'http://evil.example' };
    expect((await rawPost(url, evil, turn(false))).statusCode).toBe(403);
    const rebound = await rawPost(url, { ...token, host: 'evil.example' }, turn(false));
    expect(rebound.statusCode).toBe(403);
    expect(await textOf(rebound)).toContain('add the name to hosts');
    const large = await post(url, JSON.stringify({ model: 'x'.repeat(10_001) }), token);
    expect(large.status).toBe(413);
    const form = await post(url, turn(false), { ...token, 'content-type': 'text/plain' });
    expect(form.status).toBe(415);
    const dots = httpRequest(origin, { path: '/ai/v1/%2e%2e/secret', headers: token }).end();
    const [refused] = (await once(dots, 'response')) as [IncomingMessage];
    expect(refused.statusCode).toBe(400);
  });

  it('takes names that are its own, with a token', async () => {
    const token = 's3cret-token';
    const { origin } = await mount({ ...config, token }, { hosts: ['ai.example'] });
    const headers = { host: 'ai.example', authorization: `Bearer ${token}` };

    const answer = await rawPost(`${origin}/ai/v1/chat/completions`, headers, turn(false));
    expect(answer.statusCode).toBe(200);
    await buffer(answer);
  });

  it('says once that a body is wanted', async () => {
    const { origin } = await mount(config);
    const asked = httpRequest(`${origin}/ai/v1/chat/completions`, {
      method: 'POST',
      headers: { ...JSON_TYPE, expect: '100-continue' },
    });
    let continues = 0;
    asked.on('continue', () => {
      continues++;
      asked.end(turn(false));
    });
    asked.flushHeaders();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await buffer(answer);

    expect(answer.statusCode).toBe(200);
    expect(continues).toBe(1);
  });

  it('takes no more requests once it is closed', async () => {
    const { origin, closeHoldfast } = await mount(config);
    await closeHoldfast();
    if (app.startsWith('Fastify')) return;

    const answer = await post(`${origin}/ai/v1/chat/completions`, turn(false));
    expect(answer.status).toBe(503);
    expect(await (await fetch(`${origin}/hello`)).text()).toBe('hello');
  });
});

describe('Holdfast behind a body parser', () => {
  const parse = JSON.stringify({ text: CALL });

  async function behind(parser: RequestListener | express.Handler): Promise<string> {
    const app = express();
    const middleware = await holdfastMiddleware({}, { logTo: quiet });
    onTestFinished(() => middleware.close());
    app.use(parser as express.Handler, middleware);
    return `${await listening(createServer(app))}/api/v1/parse`;
  }

  it.each([
    ['express.json()', express.json()],
    ['express.raw()', express.raw({ type: () => true })],
    ['express.text()', express.text({ type: () => true })],
  ])('takes what %s left', async (_name, parser) => {
    const answer = await post(await behind(parser), parse);

    expect(await answer.json()).toMatchObject({ calls: [{ name: 'read_file' }] });
  });

  it('says so where a parser left nothing', async () => {
    const swallow: express.Handler = (request, _response, next) => {
      void buffer(request).then(() => next());
    };
    const answer = await post(await behind(swallow), parse);

    expect(answer.status).toBe(500);
    expect(((await answer.json()) as Refusal).error.message).toContain(
      'mount Holdfast before what reads bodies',
    );
  });
});

describe('a configuration that cannot work', () => {
  const upstreams = [{ url: 'http://127.0.0.1:1/v1' }];

  it.each([
    [{ upstreams: [{}] }, {}, 'upstreams[0].url'],
    [{ upstream: [] }, {}, 'did you mean upstreams'],
    [{ upstreams, listen: '127.0.0.1:1' }, {}, 'it is the app that listens'],
    [{}, { parts: ['proxy'] }, 'for the part proxy'],
    [{}, { parts: ['mcp'] }, 'for the part mcp'],
    [{}, { parts: ['everything'] }, 'got "everything"'],
    [{}, { hosts: ['ai.example'] }, 'token: expected one, as others reach the app as ai.example'],
    [{}, { basePath: 'ai/' }, 'basePath: expected a path such as /ai'],
    [{}, { port: 80 }, 'option port: expected only'],
    [{ token: '${NO_SUCH}' }, {}, 'NO_SUCH is not set'],
  ])('%j with %j is refused in words', async (config, options, words) => {
    const made = createHandler(config as HandlerConfig, {
      logTo: quiet,
      ...(options as HandlerOptions),
    });
    await expect(made).rejects.toThrow(ConfigError);
    await expect(made).rejects.toThrow(words);
  });
});
