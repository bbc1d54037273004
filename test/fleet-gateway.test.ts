import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from './support/free-port.ts';
import { needsPart } from './support/needs-part.ts';
import { RedisServer } from './support/redis-server.ts';
import { startGateway } from './support/start-gateway.ts';
import type { RunningGateway } from './support/start-gateway.ts';

const redis = needsPart('redis-server');

interface Circuit {
  readonly name: string;
  readonly state: string;
  readonly is_isolated: boolean;
  readonly fleet: { readonly state: string } | null;
}

interface ChatAnswer {
  readonly status: number;
  readonly text: string;
}

describe.skipIf(redis.isMissing)(`two gateways with one store${redis.why}`, () => {
  let server: RedisServer;
  let gateways: readonly RunningGateway[] = [];

  beforeAll(async () => {
    server = await RedisServer.start(['--requirepass', 'CANARY-password']);
    const url = `redis://:CANARY-password@127.0.0.1:${server.port}`;
    // Nobody listens there: every request fails to connect.
    const dead = `http://127.0.0.1:${await freePort()}/v1`;
    gateways = await Promise.all(
      ['one', 'two'].map((replica) =>
        startGateway({
          store: { url, replica },
          upstreams: [
            { name: 'careful', url: dead, models: ['careful'], circuit: { onStoreLoss: 'refuse' } },
            { name: 'dead', url: dead, circuit: { openForMs: 60_000 } },
          ],
          proxy: { retry: { maxAttempts: 1 } },
          observe: { history: false },
        }),
      ),
    );
  }, 60_000);
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await server.stop();
  });

  const chat = async ({ url }: RunningGateway, model = 'm'): Promise<ChatAnswer> => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }),
    });
    return { status: response.status, text: await response.text() };
  };
  const ask = async ({ url }: RunningGateway, path: string): Promise<unknown> =>
    (await fetch(url + path)).json();
  const circuitOf = async (gateway: RunningGateway): Promise<Circuit | undefined> => {
    const { circuits } = (await ask(gateway, '/api/v1/circuits')) as { circuits: Circuit[] };
    return circuits.find(({ name }) => name === 'dead');
  };
  const change = async ({ url }: RunningGateway, what: string, body: object): Promise<number> =>
    (
      await fetch(`${url}/api/v1/circuits/dead/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).status;

  test('what one finds out the other knows, and what is done by hand holds for both', async () => {
    const [one, two] = gateways;
    // The other has been asked, so that it has the circuit too.
    await chat(two!);
    for (let failure = 0; failure < 6; failure++) await chat(one!);

    await expect
      .poll(() => circuitOf(two!), { timeout: 3_000 })
      .toMatchObject({ state: 'open', fleet: { state: 'open' } });
    expect(await ask(two!, '/api/v1/replicas')).toMatchObject({
      store: { kind: 'redis', is_degraded: false },
      replicas: [
        { id: 'one', is_self: false },
        { id: 'two', is_self: true },
      ],
    });
    // It hears of the other with its next sign of life.
    await expect
      .poll(async () => (await fetch(`${two!.url}/metrics`)).text(), { timeout: 10_000 })
      .toMatch(/^holdfast_replicas 2$/m);

    expect(await change(two!, 'reset', { note: 'it is up again' })).toBe(200);
    await expect.poll(() => circuitOf(one!), { timeout: 3_000 }).toMatchObject({ state: 'closed' });
    expect(await change(one!, 'isolate', { reason: 'maintenance' })).toBe(200);
    await expect
      .poll(() => circuitOf(two!), { timeout: 3_000 })
      .toMatchObject({ state: 'open', is_isolated: true });
  }, 30_000);

  test('a store that goes away is told of and holds up nobody, and its password is told to nobody', async () => {
    const [one] = gateways;
    await server.kill();
    await expect
      .poll(() => ask(one!, '/api/v1/replicas'), { timeout: 10_000 })
      .toMatchObject({ store: { is_degraded: true } });
    await expect
      .poll(() => one!.log(), { timeout: 15_000 })
      .toContain('the store of circuits is away');
    const startedAt = performance.now();
    await chat(one!);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    const refused = await chat(one!, 'careful');
    expect(refused).toMatchObject({ status: 503 });
    expect(refused.text).toContain('takes no requests while the store of circuits is away');
    await server.restart();
    await expect
      .poll(() => ask(one!, '/api/v1/replicas'), { timeout: 10_000 })
      .toMatchObject({ store: { is_degraded: false }, replicas: [{ id: 'one' }, { id: 'two' }] });
    // It is asked again, and cannot be reached.
    expect(await chat(one!, 'careful')).toMatchObject({ status: 502 });
    for (const gateway of gateways) {
      expect(gateway.log()).not.toContain('CANARY');
      const { url } = gateway;
      for (const path of ['/api/v1/status', '/api/v1/replicas', '/metrics', '/api/v1/logs'])
        expect(await (await fetch(url + path)).text()).not.toContain('CANARY');
    }
  }, 60_000);
});
