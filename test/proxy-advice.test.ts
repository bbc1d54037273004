import type { JsonObject } from '@holdfast/core';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bash, SHAPES } from '../packages/gateway/src/proxy/advise/conversations.case.ts';
import type { Shape } from '../packages/gateway/src/proxy/advise/conversations.case.ts';
import { scriptedModel, textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const PATHS: Readonly<Record<Protocol, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
};
const MISSING = 'cat: /srv/notes: No such file or directory';
const missing = [bash('cat /srv/notes', MISSING)];
const fine = [bash('ls /srv', 'readme.md')];

/** The upstream speaks the client's own protocol, or only Chat Completions. */
const cases = SHAPES.flatMap((shape) => [
  { shape, name: shape.name, target: 'own' as const },
  { shape, name: shape.name, target: 'chat' as const },
]);

describe('advice', { timeout: 60_000 }, () => {
  let upstream: ScriptedUpstream;
  let gateway: RunningGateway;
  let silent: RunningGateway;

  beforeAll(async () => {
    upstream = await startScriptedUpstream(scriptedModel(() => textAnswer('chat', '')));
    const upstreams = [
      {
        name: 'own',
        url: upstream.url,
        models: ['own'],
        protocols: SHAPES.map(({ name }) => name),
      },
      { name: 'chat', url: upstream.url },
    ];
    const log = { level: 'error' };
    [gateway, silent] = await Promise.all([
      startGateway({ upstreams, log }),
      startGateway({ upstreams, log, proxy: { advice: false } }),
    ]);
  }, 60_000);

  afterAll(() => Promise.all([upstream.close(), gateway.close(), silent.close()]));

  /** What the upstream was asked, and the rules that the client is told of. */
  async function send(
    { url }: RunningGateway,
    { name }: Shape,
    body: JsonObject,
  ): Promise<{ readonly asked: JsonObject; readonly rules: string | null }> {
    const response = await fetch(url + PATHS[name], {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.text();
    expect(response.status).toBe(200);
    const asked = upstream.requests.at(-1)!.json as JsonObject;
    return { asked, rules: response.headers.get('x-holdfast-advice') };
  }

  test.each(cases)(
    'reaches the model of an upstream that speaks $target, on the failing result of $name',
    async ({ shape, target }) => {
      const body = { ...shape.write([missing, fine, missing]), model: target };
      const { asked, rules } = await send(gateway, shape, body);
      expect(rules).toBe('same-call');
      const [chat] = SHAPES;
      const { contents } = target === 'own' ? shape : chat!;
      const [first, second, third, ...more] = contents(asked);
      expect([first, second, more]).toEqual([MISSING, 'readme.md', []]);
      expect(third).toContain(`${MISSING}\n\n${ADVICE_PREFIX}The same bash call failed 2 times`);
    },
  );

  test.each(cases)('is not given to $name where nothing is wrong ($target)', async (one) => {
    const { shape, target } = one;
    const body = { ...shape.write([missing, fine]), model: target };
    const { asked, rules } = await send(gateway, shape, body);
    expect([rules, JSON.stringify(asked).includes(ADVICE_PREFIX)]).toEqual([null, false]);
  });

  test.each(cases)('is not given to $name where it is switched off ($target)', async (one) => {
    const { shape, target } = one;
    const body = { ...shape.write([missing, missing]), model: target };
    const { asked, rules } = await send(silent, shape, body);
    expect([rules, JSON.stringify(asked).includes(ADVICE_PREFIX)]).toEqual([null, false]);
  });
});
