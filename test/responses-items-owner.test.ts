import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chatBodyOf, chatStreamOf } from './support/chat-stream-of.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const SAID = 'The code is 4711.';

describe.each([false, true])('items of an earlier response (stream %s)', (stream) => {
  const upstreams: ScriptedUpstream[] = [];
  let gateway: GatewayHere;

  beforeAll(async () => {
    const script = { body: stream ? chatStreamOf(SAID) : chatBodyOf(SAID) };
    upstreams.push(await startScriptedUpstream(script), await startScriptedUpstream(script));
    const [one, other] = upstreams.map(({ url }) => url);
    gateway = await startGatewayHere({
      upstreams: [
        { name: 'one', url: one, models: ['a', 'b'] },
        { name: 'other', url: other, models: ['c'] },
      ],
    });
  });

  afterAll(() => Promise.all([gateway.close(), ...upstreams.map((each) => each.close())]));

  async function ask(
    headers: Readonly<Record<string, string>>,
    model: string,
    input: readonly object[],
  ): Promise<{ readonly status: number; readonly body: string }> {
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model, input, stream }),
    });
    return { status: response.status, body: await response.text() };
  }

  /** Refers to an item of a response that was given to `OWNER` by model `a`. */
  async function refer(
    headers: Readonly<Record<string, string>>,
    model: string,
  ): Promise<{ readonly status: number; readonly body: string }> {
    const hi = { role: 'user', content: 'What is the code?' };
    const first = await ask(OWNER, 'a', [hi]);
    const id = /"id":"(msg_\w+)"/.exec(first.body)?.[1];
    return ask(headers, model, [hi, { type: 'item_reference', id }, hi]);
  }

  const OWNER = { authorization: 'Bearer sk-alice' };
  const sent = (): string => JSON.stringify(upstreams.map(({ requests }) => requests.at(-1)?.json));

  test.each(['a', 'b'])('are found by the same key for model %s of the upstream', async (model) => {
    expect((await refer(OWNER, model)).status).toBe(200);
    expect(sent()).toContain(SAID);
  });

  test.each([
    ['another key', { authorization: 'Bearer sk-mallory' }],
    ['no key', {}],
    ['the same key in another header', { 'x-api-key': 'sk-alice' }],
    ['another key beside it', { ...OWNER, 'x-api-key': 'sk-mallory' }],
    ['another project of the key', { ...OWNER, 'openai-project': 'proj_2' }],
  ])('are not known to a client with %s', async (_, headers) => {
    const { status, body } = await refer(headers, 'a');
    expect(status).toBe(400);
    expect(body).toContain('input[1]');
    expect(body).not.toContain('4711');
  });

  test('are not known to a model of another upstream', async () => {
    expect((await refer(OWNER, 'c')).status).toBe(400);
  });
});
