import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../packages/gateway/src/cli/exit-codes.ts';
import { memoryIo } from '../packages/gateway/src/cli/memory-io.case.ts';
import { run } from '../packages/gateway/src/cli/run.ts';
import { chatBodyOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const TWICE = 'has /v1 twice: the client adds /v1 itself, so leave it out of its base URL';
const MISSING = 'The base URL of the client lacks /v1';
const SLASHES = 'eave out the slash at the end of the base URL';
const SLASH = 'Leave out the slash at its end';

describe('a wrong base URL', () => {
  let upstream: ScriptedUpstream;
  let gateway: GatewayHere;

  beforeAll(async () => {
    upstream = await startScriptedUpstream({ body: chatBodyOf('Hi.') });
    gateway = await startGatewayHere({ upstreams: [{ name: 'up', url: upstream.url }] });
  });

  afterAll(() => Promise.all([upstream.close(), gateway.close()]));

  test.each([
    ['POST', '/v1/v1/messages', 404, '/v1/messages', TWICE],
    ['POST', '/v1/v1/messages/count_tokens', 404, '/v1/messages/count_tokens', TWICE],
    ['POST', '/v1/v1/chat/completions', 404, '/v1/chat/completions', TWICE],
    ['POST', '/v1/v1/embeddings', 404, '/v1/embeddings', TWICE],
    ['GET', '/v1/v1/models', 404, '/v1/models', TWICE],
    ['POST', '/messages', 404, '/v1/messages', MISSING],
    ['POST', '/chat/completions', 404, '/v1/chat/completions', MISSING],
    ['POST', '/responses', 404, '/v1/responses', MISSING],
    ['GET', '/models', 404, '/v1/models', MISSING],
    ['POST', '/v1//chat/completions', 404, '/v1/chat/completions', SLASHES],
    ['POST', '/v1//messages', 404, '/v1/messages', SLASHES],
    ['POST', '/v1//embeddings', 404, '/v1/embeddings', SLASHES],
    ['POST', '//v1/messages', 400, '//', SLASHES],
    ['POST', '/v1/messages/', 404, '/v1/messages', SLASH],
    ['POST', '/v1/chat/completions/', 404, '/v1/chat/completions', SLASH],
    ['GET', '/v1/models/', 404, '/v1/models', SLASH],
    ['POST', '/v1/chat/completions/v1/messages', 404, '/v1/messages', 'did you mean'],
    ['POST', '/openai/v1/chat/completions', 404, '/v1/chat/completions', 'did you mean'],
    ['GET', '/v1/messages', 405, 'POST', 'takes POST, not GET'],
    ['GET', '/v1/chat/completions', 405, 'POST', 'takes POST, not GET'],
    ['GET', '/v1/responses', 405, 'POST', 'takes POST, not GET'],
    ['PUT', '/v1/messages', 405, 'POST', 'takes POST, not PUT'],
  ])('in %s %s is answered %i with %s: %s', async (method, path, status, right, hint) => {
    const before = upstream.requests.length;
    const response = await fetch(gateway.url + path, {
      method,
      ...(method !== 'GET' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [], input: 'x' }),
      }),
    });
    const { error } = (await response.json()) as { error: { message: string } };
    expect(response.status).toBe(status);
    expect(error.message).toContain(right);
    expect(error.message).toContain(hint);
    expect(upstream.requests.length).toBe(before);
  });

  test.each([
    ['GET', '/v1/responses/resp_1'],
    ['POST', '/v1/embeddings'],
    ['GET', '/v1/files/v1/x'],
    ['DELETE', '/v1/models/m'],
  ])('is not seen in %s %s, which is forwarded', async (method, path) => {
    const before = upstream.requests.length;
    const response = await fetch(gateway.url + path, { method });
    await response.text();
    expect(upstream.requests.length).toBe(before + 1);
  });

  test.each([
    [['proxy', '--upstream', 'localhost:1234'], 'such as http://localhost:1234/v1,'],
    [['proxy', '--upstream', '192.168.0.7:8000/api'], 'such as http://192.168.0.7:8000/api,'],
    [['proxy', 'http://127.0.0.1:1/v1'], 'holdfast proxy --upstream http://127.0.0.1:1/v1'],
    [['proxy', 'localhost:1234'], 'holdfast proxy --upstream http://localhost:1234/v1'],
    [['start', 'localhost:1234'], 'holdfast proxy --upstream http://localhost:1234/v1'],
    [['doctor', 'localhost:1234'], 'holdfast doctor --upstream http://localhost:1234/v1'],
  ])('in the command %j is refused with the right one', async (args, hint) => {
    const io = memoryIo();
    expect(await run(args, io)).toBe(EXIT.misuse);
    expect(io.err()).toContain(hint);
  });
});
