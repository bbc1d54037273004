import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../config/config-defaults.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { runningServer } from '../http/running-server.case.ts';
import { createAdmin } from './create-admin.ts';

const { upstream, ...rest } = CONFIG_DEFAULTS;
const CONFIG: GatewayConfig = {
  ...rest,
  token: 'CANARY-token',
  upstreams: [
    {
      ...upstream,
      name: 'lm',
      url: 'http://127.0.0.1:1/v1',
      apiKey: 'CANARY-key',
      headers: { 'x-secret': 'CANARY-header' },
    },
  ],
};

describe('the status of the gateway', () => {
  test('says what is set up, what the proxy knows, and no secret', async () => {
    const clock = new ManualClock();
    let turns = 0;
    const routes = createAdmin({
      config: () => CONFIG,
      proxy: () => ({ counts: { turns: ++turns } }),
      mcp: () => ({ servers: {} }),
      version: '1.2.3',
      clock,
    });
    const { url } = await runningServer(undefined, { routes });
    await clock.advance(1500);

    const first = await fetch(`${url}/api/v1/status`);
    const text = await first.text();
    expect(JSON.parse(text)).toEqual({
      mcp: { servers: {} },
      version: '1.2.3',
      uptime_ms: 1500,
      eager: false,
      advice: true,
      on_invalid: 'forward',
      upstreams: [
        {
          name: 'lm',
          url: 'http://127.0.0.1:1/v1',
          protocols: ['chat'],
          models: ['*'],
          tool_mode: 'auto',
        },
      ],
      proxy: { counts: { turns: 1 } },
    });
    expect(text).not.toContain('CANARY');
    // It is asked anew every time.
    const second = await fetch(`${url}/api/v1/status`);
    expect(await second.json()).toMatchObject({ proxy: { counts: { turns: 2 } } });
  });

  test('is alive', async () => {
    const routes = createAdmin({
      config: () => CONFIG,
      proxy: () => ({}),
      mcp: () => ({ servers: {} }),
      version: '1.2.3',
      clock: new ManualClock(),
    });
    const { url } = await runningServer(undefined, { routes });
    const answer = await fetch(`${url}/healthz`);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });
});
