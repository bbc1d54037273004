import { afterEach, beforeAll, afterAll, describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../packages/gateway/src/config/config-defaults.ts';
import type { ProxyConfig, UpstreamConfig } from '../packages/gateway/src/config/gateway-config.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { startGateway } from '../packages/gateway/src/start-gateway.ts';
import type { Gateway } from '../packages/gateway/src/start-gateway.ts';
import { askGateway, sendTo } from './support/ask-gateway.ts';
import type { AskOptions, ToldTurn } from './support/ask-gateway.ts';
import { protocolOf, textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const CALL = '<tool_call>{"name":"Bash","arguments":{"command":"rm -rf /"}}</tool_call>';
const CONSIDERED = `I could ${CALL}\nBut no.\n</think>\nHi`;
const CALLED = `Let me look. ${CALL}`;
const TOOLS = [{ name: 'Bash', description: 'Runs.', parameters: { type: 'object' } }];
const protocols: readonly Protocol[] = ['chat', 'messages', 'responses'];

describe('an answer that may begin in reasoning', () => {
  let upstream: ScriptedUpstream;
  const gateways: Gateway[] = [];
  let said = '';

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { stream } = request.json as { readonly stream?: boolean };
      const answer = textAnswer(protocolOf(request.path), said, 4);
      return { body: stream === true ? answer.stream : answer.body };
    });
  });

  afterEach(() => Promise.all(gateways.splice(0).map((gateway) => gateway.close())));

  afterAll(() => upstream.close());

  async function start(
    changes: Partial<ProxyConfig> = {},
    of: Partial<UpstreamConfig> = {},
  ): Promise<Gateway> {
    const { upstream: common, ...defaults } = CONFIG_DEFAULTS;
    const upstreams = [{ ...common, name: 'own', url: upstream.url, protocols, ...of }];
    const listen = { host: '127.0.0.1', port: 0 };
    const proxy = { ...defaults.proxy, ...changes };
    const options = { log: memoryLogger() };
    const gateway = await startGateway({ ...defaults, listen, upstreams, proxy }, options);
    gateways.push(gateway);
    return gateway;
  }

  async function ask(
    { url }: Gateway,
    text: string,
    options: Partial<AskOptions> = {},
  ): Promise<ToldTurn> {
    said = text;
    const asked = { protocol: 'chat', model: 'm', tools: TOOLS, stream: true } as const;
    return askGateway(url, { ...asked, ...options });
  }

  async function learned({ url }: Gateway): Promise<unknown> {
    const response = await fetch(`${url}/api/v1/status`);
    const { proxy } = (await response.json()) as {
      readonly proxy: { readonly reasoning_starts: unknown };
    };
    return proxy.reasoning_starts;
  }

  describe.each(protocols)('in %s', (protocol) => {
    test.each([true, false])('has no call that was only considered, stream %s', async (stream) => {
      const gateway = await start();
      const first = await ask(gateway, CONSIDERED, { protocol, stream });
      expect(first).toMatchObject({ calls: [], text: 'I could \nHi' });
      const second = await ask(gateway, CONSIDERED, { protocol, stream });
      expect(second).toMatchObject({ calls: [], text: '\nHi' });
    });

    test('has the calls that it made', async () => {
      const { calls, text } = await ask(await start(), CALLED, { protocol });
      expect(calls).toMatchObject([{ name: 'Bash' }]);
      expect(text).toBe('Let me look. ');
    });
  });

  test('emits the text before a call, and keep-alives while it holds the call', async () => {
    const { stream } = textAnswer('chat', `${CALLED}\nOne moment.`);
    const held = await startScriptedUpstream({
      body: stream.slice(0, stream.indexOf('data: [DONE]')).replace('"stop"', 'null'),
      then: 'stall',
    });
    const slow = await start({ keepAliveMs: 20 }, { url: held.url });
    const abort = new AbortController();
    const asked = { protocol: 'chat', model: 'm', tools: TOOLS, stream: true } as const;
    const response = await sendTo(slow.url, { ...asked, signal: abort.signal });
    let told = '';
    for await (const bytes of response.body!) {
      told += Buffer.from(bytes).toString();
      if (told.includes('Let me look. ') && told.split('\n:').length > 2) break;
    }
    abort.abort();
    await held.close();
    expect(told).toContain('Let me look. ');
    expect(told).not.toMatch(/rm -rf|One moment|tool_calls"/);
  });

  test('is learned of a model, shown, and reset', async () => {
    const gateway = await start();
    await ask(gateway, CONSIDERED);
    const fact = { upstream: 'own', model: 'm', starts_in_reasoning: true };
    const expires = { expires_in_seconds: 86_400 };
    expect(await learned(gateway)).toMatchObject([{ ...fact, ...expires }]);
    const reset = await fetch(`${gateway.url}/api/v1/reasoning/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm' }),
    });
    expect(await reset.json()).toEqual({ forgotten: 1 });
    expect(await learned(gateway)).toEqual([]);
  });

  test('is not expected any more after three answers that began with text', async () => {
    const gateway = await start();
    for (const text of ['One.', CALLED, 'Three.']) await ask(gateway, text);
    expect(await learned(gateway)).toMatchObject([{ starts_in_reasoning: false }]);
    // Not held any more: this is how such a model is found out.
    expect((await ask(gateway, CONSIDERED)).calls).toHaveLength(1);
    expect(await learned(gateway)).toMatchObject([{ starts_in_reasoning: true }]);
    expect((await ask(gateway, CONSIDERED)).calls).toEqual([]);
  });

  test('keeps its text where the model that was learned did not reason', async () => {
    const gateway = await start();
    await ask(gateway, CONSIDERED);
    expect((await ask(gateway, 'It is noon.')).text).toBe('It is noon.');
    expect(await learned(gateway)).toMatchObject([{ starts_in_reasoning: 'auto' }]);
    expect((await ask(gateway, CONSIDERED)).calls).toEqual([]);
  });

  test('is known of a family by the name of the model', async () => {
    const gateway = await start();
    const { calls, text } = await ask(gateway, CONSIDERED, { model: 'Qwen3-4B-Thinking-2507' });
    expect({ calls, text }).toEqual({ calls: [], text: '\nHi' });
  });

  test.each([
    ['proxy', { startsInReasoning: true }, {}],
    ['the model', {}, { startsInReasoning: { 'm*': true } }],
  ] as const)('is what the configuration of %s says', async (_, proxy, own) => {
    const gateway = await start(proxy, own);
    const { calls, text } = await ask(gateway, CONSIDERED);
    expect({ calls, text }).toEqual({ calls: [], text: '\nHi' });
  });

  test('is not held where the configuration says that it never does', async () => {
    const gateway = await start({ startsInReasoning: false });
    const { calls } = await ask(gateway, CONSIDERED, { stream: false });
    expect(calls).toHaveLength(1);
  });
});
