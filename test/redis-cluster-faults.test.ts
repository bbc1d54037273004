import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CircuitFleet, Circuits } from '@holdfast/core/guard';
import { RedisCircuitStore } from '@holdfast/core/redis';
import { report } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { ending } from './support/ending.ts';
import { freePort } from './support/free-port.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectToCluster } from './support/redis-clients.ts';
import { RedisCluster } from './support/redis-server.ts';
import type { RedisServer } from './support/redis-server.ts';
import { readText } from './support/repository.ts';
import { startGateway } from './support/start-gateway.ts';
import { until } from './support/until.ts';

const redis = needsPart('redis-server');
const FAILED = report({ calls: 10, failures: 10 });
const CHANNEL = 'holdfast:{~news}';

describe.skipIf(redis.isMissing)(`a cluster of Redis${redis.why}`, { timeout: 60_000 }, () => {
  let cluster: RedisCluster;

  beforeAll(async () => {
    cluster = await RedisCluster.start();
  }, 60_000);
  afterAll(() => cluster.stop());

  it('spreads circuits over its nodes, each of which is given the scripts', async () => {
    const connected = await connectToCluster(cluster, '@redis/client');
    const store = new RedisCircuitStore({ client: connected.client });
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => store.report(`circuit${at}`, report({ calls: 1 }))),
    );
    const sizes = await Promise.all(cluster.nodes.map((node) => node.cli('dbsize')));
    connected.close();

    expect(sizes.map(Number).reduce((sum, size) => sum + size)).toBe(30);
    expect(Math.min(...sizes.map(Number))).toBeGreaterThan(0);
  });

  it.each(CLIENT_KINDS)('carries a fleet, by %s', async (kind) => {
    const clients = await Promise.all([0, 1].map(() => connectToCluster(cluster, kind)));
    const fleets = clients.map(
      ({ client }) => new CircuitFleet({ store: new RedisCircuitStore({ client }) }),
    );
    const name = `fleet of ${kind}`;
    const [one, other] = fleets.map((fleet) => new Circuits({ fleet }).get(name));
    await Promise.all([one, other].map((circuit) => circuit!.call(() => Promise.resolve('known'))));
    await until(() => fleets.every((fleet) => fleet.status().circuits[0]?.shared !== undefined));
    const fail = (): Promise<never> => Promise.reject(new Error('HTTP 502'));
    const startedAt = performance.now();
    for (let call = 0; call < 5; call++) await ending(one!.call(fail));
    await until(() => other!.state === 'open');
    const tookMs = performance.now() - startedAt;
    other!.reset('mended');
    await until(() => one!.state === 'closed');
    for (const fleet of fleets) await fleet.close();
    for (const each of clients) each.close();

    expect(tookMs).toBeLessThan(1_000);
    expect(other!.history.map(({ reason }) => reason)).toEqual([
      'failure_threshold_exceeded',
      'reset',
    ]);
  });

  it('is the store of a gateway that is told so', async () => {
    const { url } = cluster.nodes[1]!;
    const gateway = await startGateway({
      store: { url, cluster: true, replica: 'one', prefix: 'gateway' },
      upstreams: [{ name: 'dead', url: `http://127.0.0.1:${await freePort()}/v1` }],
      observe: { history: false },
    });
    const replicas = async (): Promise<unknown> =>
      (await fetch(`${gateway.url}/api/v1/replicas`)).json();
    await expect.poll(replicas, { timeout: 10_000 }).toMatchObject({
      store: { kind: 'redis', is_degraded: false },
      replicas: [{ id: 'one', is_self: true }],
    });
    await gateway.close();
  });

  it.each(CLIENT_KINDS)('needs no more rights than the docs say, by %s', async (kind) => {
    const page = readText('docs/redis-store.md');
    const user = /^user (holdfast .*)$/m.exec(page)![1]!.split(' ');
    const more = /^On a cluster add `([^`]*)`/m.exec(page)![1]!.split(' ');
    for (const node of cluster.nodes)
      expect(await node.cli('acl', 'setuser', ...user, ...more)).toBe('OK');
    const credentials = { username: 'holdfast', password: 'secret' };
    const limited = await connectToCluster(cluster, kind, credentials);
    const store = new RedisCircuitStore({ client: limited.client });
    const heard: string[] = [];
    const stop = await store.watch((circuit) => void heard.push(circuit));
    for (const circuit of ['a', 'b', 'c']) await store.report(`${kind} ${circuit}`, FAILED);
    await until(() => heard.length === 3);
    await stop();
    limited.close();
  });

  it.each(CLIENT_KINDS)('has its news heard again when a node was lost, by %s', async (kind) => {
    const connected = await connectToCluster(cluster, kind);
    const store = new RedisCircuitStore({ client: connected.client });
    const heard: string[] = [];
    const stop = await store.watch((circuit) => void heard.push(circuit));
    await store.report(`${kind} before`, FAILED);
    await until(() => heard.includes(`${kind} before`));

    const slot = await cluster.nodes[0]!.cli('cluster', 'keyslot', CHANNEL);
    const owner = await ownerOf(cluster, Number(slot));
    await owner.kill();
    await owner.restart();
    let told = 0;
    await until(async () => {
      const { error } = await ending(store.report(`${kind} after ${told++}`, FAILED));
      return error === undefined && heard.some((circuit) => circuit.startsWith(`${kind} after`));
    });

    await stop();
    connected.close();
  });
});

/** The node that has the slot, by what the first node knows of the cluster. */
async function ownerOf(cluster: RedisCluster, slot: number): Promise<RedisServer> {
  const lines = (await cluster.nodes[0]!.cli('cluster', 'nodes')).split('\n');
  const has = (line: string): boolean => {
    const [, from, to] = / (\d+)-(\d+)$/.exec(line) ?? [];
    return Number(from) <= slot && slot <= Number(to);
  };
  const port = /:(\d+)@/.exec(lines.find(has) ?? '')?.[1];
  const owner = cluster.nodes.find((node) => String(node.port) === port);
  if (owner === undefined) throw new Error(`no node has slot ${slot}:\n${lines.join('\n')}`);
  return owner;
}
