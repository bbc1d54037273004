import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { memoryIo } from './cli/memory-io.case.ts';
import type { MemoryIo } from './cli/memory-io.case.ts';
import { CONFIG_DEFAULTS } from './config/config-defaults.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { memoryLogger } from './log/memory-logger.case.ts';
import { runGateway } from './run-gateway.ts';
import type { GatewayHooks } from './run-gateway.ts';

/** Lists one model, named after the key it was asked with. */
const models = createServer((request, response) => {
  const id = request.headers.authorization ?? 'no-key';
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ object: 'list', data: [{ id, object: 'model' }] }));
});
let upstreamUrl = '';

/** For a machine that is busy. */
const PATIENCE = { timeout: 8_000 };

beforeAll(async () => {
  await new Promise<void>((resolve) => models.listen(0, '127.0.0.1', resolve));
  upstreamUrl = `http://127.0.0.1:${(models.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  models.closeAllConnections();
  models.close();
});

function configWith(
  changes: Partial<GatewayConfig> & { readonly apiKey?: string } = {},
): GatewayConfig {
  const { apiKey = 'key-1', ...rest } = changes;
  const { upstream, ...defaults } = CONFIG_DEFAULTS;
  return {
    ...defaults,
    listen: { host: '127.0.0.1', port: 0 },
    upstreams: [{ ...upstream, name: 'models', url: upstreamUrl, apiKey }],
    ...rest,
  };
}

async function start(
  config: GatewayConfig,
  hooks: GatewayHooks = {},
): Promise<{ io: MemoryIo; ended: Promise<number>; url: string; log: string[] }> {
  const io = memoryIo();
  const log = memoryLogger();
  const ended = runGateway(config, io, { log, ...hooks });
  const url = await vi.waitFor(() => {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(io.out());
    if (found === null) throw new Error(`nothing printed yet: ${io.err()}`);
    return found[0];
  }, PATIENCE);
  return {
    io,
    ended,
    url,
    get log() {
      return log.entries.map(({ message }) => message);
    },
  };
}

const modelOf = async (url: string): Promise<string> => {
  const answer = await fetch(`${url}/v1/models`);
  const { data } = (await answer.json()) as { data: { id: string }[] };
  return data[0]?.id ?? '';
};

describe('the gateway', () => {
  test('prints where it is, logs its parsers, and ends with 0 when it is told to stop', async () => {
    const { io, ended, url, log } = await start(configWith(), { notes: ['a note'] });

    expect(io.out()).toBe(
      [
        `Holdfast listens on ${url}`,
        `  dashboard          ${url}/`,
        `  OpenAI clients     ${url}/v1  (Chat Completions, and Responses as Codex speaks it)`,
        `  Anthropic clients  ${url}`,
        `  upstream           models: ${upstreamUrl} (chat)`,
        '',
      ].join('\n'),
    );
    expect(log).toEqual(['listening; parsers in the order they are tried', 'a note']);
    expect(io.signal('SIGINT')).toBe(true);
    expect(await ended).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('prints where circuits are shared, without who asks there', async () => {
    const store = { url: 'redis://me:hunter2@127.0.0.1:1/2', cluster: false };
    const { io, ended } = await start(configWith({ store }));

    expect(io.out()).toContain('\n  circuits shared    redis://127.0.0.1:1/2\n');
    expect(io.out()).not.toContain('hunter2');
    io.signal('SIGINT');
    expect(await ended).toBe(0);
  });

  test('leaves a second signal to the system, which ends the process at once', async () => {
    const { io, ended } = await start(configWith());
    expect(io.signal('SIGTERM')).toBe(true);
    expect([io.signal('SIGTERM'), io.signal('SIGINT')]).toEqual([false, false]);
    expect(await ended).toBe(0);
  });

  test('says why it cannot listen, and ends with 1', async () => {
    const { io, ended, url } = await start(configWith());
    const port = Number(new URL(url).port);
    const second = memoryIo();
    const listen = { host: '127.0.0.1', port };

    expect(await runGateway(configWith({ listen }), second, { log: memoryLogger() })).toBe(1);
    expect(second.err()).toBe(`holdfast: cannot listen on 127.0.0.1:${port}: the port is in use\n`);
    // Nothing of it is left to catch signals.
    expect(second.signal('SIGINT')).toBe(false);

    const third = await start(configWith({ listen }), { portsToTry: 20 });
    expect(Number(new URL(third.url).port)).toBeGreaterThan(port);
    third.io.signal('SIGINT');
    io.signal('SIGINT');
    expect([await third.ended, await ended]).toEqual([0, 0]);
  });

  test('takes over a new configuration while it runs, and says what needs a restart', async () => {
    let change: (config: GatewayConfig) => void = () => undefined;
    let isWatched = true;
    const config = configWith();
    const running = await start(config, {
      watch: (onConfig) => {
        change = onConfig;
        return { reload: () => undefined, close: () => void (isWatched = false) };
      },
    });
    expect(await modelOf(running.url)).toBe('Bearer key-1');

    change({
      ...configWith({ apiKey: 'key-2', listen: { host: '127.0.0.1', port: 1 }, token: 't' }),
      observe: { ...config.observe, historyMaxAgeDays: 5, reveal: true },
    });
    expect(await modelOf(running.url)).toBe('Bearer key-2');
    expect(running.log).toContain('listen has changed, which takes effect after a restart');
    expect(running.log).toContain('token has changed, which takes effect after a restart');
    expect(running.log).toContain(
      'observe.historyMaxAgeDays has changed, which takes effect after a restart',
    );
    expect(running.log.join('\n')).not.toContain('observe.reveal');

    running.io.signal('SIGINT');
    expect(await running.ended).toBe(0);
    expect(isWatched).toBe(false);
  });
});
