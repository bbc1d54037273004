import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RedisCircuitStore } from '@holdfast/core/redis';
import { report } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import { ending } from './support/ending.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectToCluster } from './support/redis-clients.ts';
import { RedisCluster } from './support/redis-server.ts';
import type { RedisServer } from './support/redis-server.ts';
import { readText } from './support/repository.ts';
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
