import type { JsonObject } from '@holdfast/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../packages/gateway/src/config/config-defaults.ts';
import type { ProxyConfig } from '../packages/gateway/src/config/gateway-config.ts';
import { memoryLogger } from '../packages/gateway/src/log/memory-logger.case.ts';
import { startGateway } from '../packages/gateway/src/start-gateway.ts';
import type { Gateway } from '../packages/gateway/src/start-gateway.ts';
import { askGateway } from './support/ask-gateway.ts';
import type { ToldTurn } from './support/ask-gateway.ts';
import {
  BARE,
  CALLS,
  IN_JSON,
  IN_TEXT,
  MARKED,
  TOOLS,
  WITHOUT_CALLS,
} from './support/bare-requests.ts';
import { protocolOf, textAnswer } from './support/scripted-model.ts';
import type { Protocol } from './support/scripted-model.ts';
import { startScriptedUpstream } from './support/scripted-upstream.ts';
import type { ScriptedUpstream } from './support/scripted-upstream.ts';

const protocols: readonly Protocol[] = ['chat', 'messages', 'responses'];
const cases = protocols.flatMap((protocol) =>
  (['own', 'chat', 'prompted'] as const).flatMap((target) =>
    [true, false].map((stream) => ({ protocol, target, stream })),
  ),
);

describe('text that an offered tool proves to be a call', () => {
  let upstream: ScriptedUpstream;
  let gateway: Gateway;
  let strict: Gateway;
  let narrow: Gateway;
  let said = BARE;

  beforeAll(async () => {
    upstream = await startScriptedUpstream((request) => {
      const { stream } = request.json as { readonly stream?: boolean };
      const answer = textAnswer(protocolOf(request.path), said, 4);
      return { body: stream === true ? answer.stream : answer.body };
    });
    [gateway, strict, narrow] = await Promise.all([
      start({}),
      start({ bareCalls: false }),
      start({ formats: ['mistral'] }),
    ]);
  });

  afterAll(() => Promise.all([upstream.close(), gateway.close(), strict.close(), narrow.close()]));

  async function start(options: Partial<ProxyConfig>): Promise<Gateway> {
    const { upstream: common, ...defaults } = CONFIG_DEFAULTS;
    const { url } = upstream;
    const upstreams = [
      { ...common, name: 'own', url, models: ['own'], protocols },
      { ...common, name: 'chat', url, models: ['chat'] },
      { ...common, name: 'prompted', url, models: ['prompted'], toolMode: 'prompt' as const },
    ];
    const listen = { host: '127.0.0.1', port: 0 };
    const proxy = { ...defaults.proxy, ...options };
    return startGateway({ ...defaults, listen, upstreams, proxy }, { log: memoryLogger() });
  }

  async function ask(
    { protocol, target, stream }: (typeof cases)[number],
    text: string,
    fields: JsonObject = {},
    of: Gateway = gateway,
  ): Promise<Pick<ToldTurn, 'text' | 'calls'>> {
    said = text;
    const turn = await askGateway(of.url, {
      protocol,
      model: target,
      tools: TOOLS,
      stream,
      fields,
    });
    return { text: turn.text, calls: turn.calls };
  }

  describe.each(cases)('sent to $protocol from $target, stream $stream', (one) => {
    test('is a call by default', async () => {
      for (const fields of IN_TEXT[one.protocol])
        expect(await ask(one, BARE, fields)).toEqual({ text: '', calls: CALLS });
    });

    test('stays text where the request wants no call', async () => {
      for (const fields of WITHOUT_CALLS[one.protocol])
        for (const text of [BARE, MARKED])
          expect(await ask(one, text, fields), JSON.stringify(fields)).toEqual({ text, calls: [] });
    });

    test('stays text where the request wants JSON, and markup is a call', async () => {
      for (const fields of IN_JSON[one.protocol]) {
        expect(await ask(one, BARE, fields), JSON.stringify(fields)).toEqual({
          text: BARE,
          calls: [],
        });
        expect(await ask(one, MARKED, fields)).toEqual({ text: '', calls: CALLS });
      }
    });

    test('stays text where bareCalls is off, and markup is a call', async () => {
      expect(await ask(one, BARE, {}, strict)).toEqual({ text: BARE, calls: [] });
      expect(await ask(one, MARKED, {}, strict)).toEqual({ text: '', calls: CALLS });
    });

    test('stays text in a format that is not among formats', async () => {
      expect(await ask(one, BARE, {}, narrow)).toEqual({ text: BARE, calls: [] });
      // Tools in the prompt have a format of their own, which is read.
      const isRead = one.target === 'prompted';
      const expected = isRead ? { text: '', calls: CALLS } : { text: MARKED, calls: [] };
      expect(await ask(one, MARKED, {}, narrow)).toEqual(expected);
    });
  });
});
