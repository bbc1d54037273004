import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CircuitStoreError, RedisCircuitStore } from '@holdfast/core/redis';
import { report, rules } from '../packages/core/src/guard/store/circuit-store-suite.case.ts';
import type { CircuitStore } from '../packages/core/src/guard/store/circuit-store.ts';
import { ending } from './support/ending.ts';
import { needsPart } from './support/needs-part.ts';
import { CLIENT_KINDS, connectTo } from './support/redis-clients.ts';
import type { ConnectedClient } from './support/redis-clients.ts';
import { RedisServer } from './support/redis-server.ts';
import { readText } from './support/repository.ts';
import { until } from './support/until.ts';

const redis = needsPart('redis-server');
const FAILED = report({ calls: 10, failures: 10 });
const isolation = { type: 'isolate', replica: 'a', note: 'x', forMs: Infinity } as const;
const REPLICA = {
  id: 'a',
  startedAt: 1,
  notClosed: [],
  circuits: 0,
  calls: 0,
  failures: 0,
  version: '1',
};
const lease = { replica: 'a', token: 'p1', ttlMs: 60_000, rules: rules() };

describe.skipIf(redis.isMissing).each(CLIENT_KINDS)(`Redis by %s${redis.why}`, (kind) => {
  let server: RedisServer;
  let connected: ConnectedClient;
  let store: CircuitStore;

  beforeAll(async () => {
    server = await RedisServer.start();
    connected = await connectTo(server, kind);
  });
  afterAll(async () => {
    connected.close();
    await server.stop();
  });
  beforeEach(async () => {
    await server.cli('flushall');
    store = new RedisCircuitStore({ client: connected.client });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is given the scripts again after it has forgotten them', async () => {
    await store.report('search', report({ calls: 1 }));
    await server.cli('script', 'flush');

    expect(await store.report('search', report({ calls: 1 }))).toMatchObject({ calls: 2 });
    const { cached } = /used_memory_scripts_eval:(?<cached>\d+)/.exec(
      await server.cli('info', 'memory'),
    )!.groups!;
    expect(Number(cached)).toBeGreaterThan(1000);
  });

  it('keeps no key for ever', async () => {
    await store.report('search', report({ calls: 1 }));
    await store.report('open', FAILED);
    await store.override('isolated', isolation);
    await store.override('reset', { type: 'reset', replica: 'a' });
    await store.report('half', { ...FAILED, rules: rules({ openForMs: 1 }) });
    await sleep(5);
    await store.lease('half', lease);
    await store.lease('never reported', lease);
    await store.join(REPLICA, 5_000);
    const keys = (await server.cli('keys', '*')).split('\n');
    const left = await Promise.all(keys.map(async (key) => Number(await server.cli('pttl', key))));

    expect(keys.sort()).toEqual(
      ['search', 'open', 'isolated', 'reset', 'half', '~not-closed', '~replicas']
        .map((name) => `holdfast:{${name}}`)
        .sort(),
    );
    expect(left.filter((ms) => ms <= 0)).toEqual([]);
  });

  it('has a short key of its own for every name', async () => {
    const names = [
      '~replicas',
      '~news',
      'a}{b',
      '{}',
      '',
      ' ',
      'a\r\nFLUSHALL\r\n',
      'a\0b',
      '\u{1f4a9}',
      '\ud800',
      '*',
      'x'.repeat(1_000_000),
      'x'.repeat(1_000_001),
    ];
    for (const [at, name] of names.entries()) await store.report(name, report({ calls: at + 1 }));
    const counts = await Promise.all(
      names.map(async (name) => (await store.report(name, report())).calls),
    );
    const keys = (await server.cli('keys', '*')).split('\n');

    expect(counts).toEqual(names.map((_, at) => at + 1));
    expect(keys).toHaveLength(names.length);
    for (const key of keys) expect(key).toMatch(/^holdfast:\{~[\da-f]{16}\}$/);
  });

  it('gives as many probes as there may be to twenty nodes that race for them', async () => {
    const nodes = await Promise.all(Array.from({ length: 20 }, () => connectTo(server, kind)));
    const stores = nodes.map(({ client }) => new RedisCircuitStore({ client }));
    for (const probes of [1, 3]) {
      await server.cli('flushall');
      await store.report('search', { ...FAILED, rules: rules({ openForMs: 1, probes }) });
      await sleep(5);
      const replies = await Promise.all(
        stores.map((each, at) =>
          each.lease('search', { ...lease, token: `p${at}`, rules: rules({ probes }) }),
        ),
      );

      expect(replies.filter(({ granted }) => granted)).toHaveLength(probes);
    }
    for (const node of nodes) node.close();
  });

  it('goes by its own time, whatever the clock of a replica says', async () => {
    const opened = await store.report('search', FAILED);
    const now = Date.now();
    const told = [];
    for (const skewMs of [-600_000, 600_000]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + skewMs });
      told.push(await store.report('search', report({ version: opened.version })));
      told.push(await store.override('other', { ...isolation, forMs: 60_000 }));
    }

    for (const { openForMs, version } of told) {
      expect(openForMs).toBeGreaterThan(55_000);
      expect(openForMs).toBeLessThanOrEqual(60_000);
      expect(Math.abs(version - now)).toBeLessThan(5_000);
    }
  });

  it('keeps nobody out for longer than was meant where its clock was set back', async () => {
    await store.report('search', FAILED);
    const far = String(Date.now() + 86_400_000);
    await server.cli('hset', 'holdfast:{search}', 'ends', far);
    const open = await store.report('search', report());
    await server.cli('hset', 'holdfast:{search}', 'state', 'half-open', 'l:p0', `${far} 30000`);
    const { granted, shared } = await store.lease('search', lease);

    expect(open.openForMs).toBe(60_000);
    expect(granted).toBe(false);
    expect(shared.probeInMs).toBe(30_000);
  });

  it('counts nothing that seems to be of the future', async () => {
    await store.report('search', report({ calls: 5, failures: 1 }));
    const later = Math.floor(Date.now() / 6_000) + 1_000;
    await server.cli('hset', 'holdfast:{search}', `b:${later}`, '100 100 100');

    expect(await store.report('search', report())).toMatchObject({ calls: 5, failures: 1 });
  });

  it('tells what is wrong where somebody else uses its key', async () => {
    await server.cli('set', 'holdfast:{search}', 'mine');

    const { error } = await ending(store.report('search', report()));

    expect(error).toBeInstanceOf(CircuitStoreError);
    expect(String(error)).toContain('Redis cannot report: ');
    expect(String(error)).toContain('WRONGTYPE');
    expect(error).toMatchObject({ code: 'circuit-store', retryable: true });
  });

  it('goes on with a record that somebody has spoilt', async () => {
    await store.report('search', report({ calls: 1 }));
    for (const field of ['version', 'row', 'slice', 'window', 'tokens', 'openings', 'b:x', 'l:y'])
      await server.cli('hset', 'holdfast:{search}', field, 'nan of it');

    expect(await store.report('search', report({ calls: 2 }))).toMatchObject({
      state: 'closed',
      calls: 2,
      tokens: 500,
    });
  });

  it('refuses what is no number, and changes nothing', async () => {
    await store.report('search', report({ calls: 1 }));

    const { error } = await ending(store.report('search', report({ calls: NaN })));

    expect(String(error)).toContain('expected a number as ARGV[4], got NaN');
    expect(await store.report('search', report())).toMatchObject({ calls: 1 });
  });

  it('needs no more rights than the docs say', async () => {
    const line = /^user (holdfast .*)$/m.exec(readText('docs/redis-store.md'))![1]!;
    expect(await server.cli('acl', 'setuser', ...line.split(' '))).toBe('OK');
    const limited = await connectTo(server, kind, { username: 'holdfast', password: 'secret' });
    const own = new RedisCircuitStore({ client: limited.client });
    const heard: string[] = [];
    const stop = await own.watch((circuit) => void heard.push(circuit));
    await own.report('search', { ...FAILED, rules: rules({ openForMs: 1 }) });
    await sleep(5);
    await own.lease('search', lease);
    await own.settle('search', { ...lease, outcome: 'success' });
    await own.override('search', isolation);
    await own.join(REPLICA, 5_000);
    await own.leave('b');
    const replicas = await own.replicas();
    await until(() => heard.length === 4);
    await stop();
    const elsewhere = new RedisCircuitStore({ client: limited.client, prefix: 'other' });
    const { error } = await ending(elsewhere.report('search', report()));
    limited.close();

    expect(replicas).toEqual([REPLICA]);
    expect(String(error)).toMatch(/NOPERM|ACL failure/);
  });

  it('is asked with few and small commands', async () => {
    const before = await commands(server);
    for (let turn = 0; turn < 10; turn++) await store.report('search', report({ calls: 1 }));

    expect((await commands(server)) - before).toBeLessThanOrEqual(12);
    expect(Number(await server.cli('memory', 'usage', 'holdfast:{search}'))).toBeLessThan(1_000);
  });
});

/** How often clients asked for something, whatever the scripts did then. */
async function commands(server: RedisServer): Promise<number> {
  const stats = await server.cli('info', 'commandstats');
  const calls = [...stats.matchAll(/^cmdstat_(?:eval|evalsha|publish):calls=(\d+)/gm)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

describe.skipIf(redis.isMissing)(`a replica of Redis${redis.why}`, () => {
  it('has what the scripts wrote, and goes on with it when it takes over', async () => {
    const first = await RedisServer.start();
    const second = await RedisServer.start(['--replicaof', `127.0.0.1 ${first.port}`]);
    const connected = await connectTo(first, '@redis/client');
    const store = new RedisCircuitStore({ client: connected.client });
    await until(async () => (await second.cli('info', 'replication')).includes('link_status:up'));
    const opened = await store.report('search', FAILED);
    await store.report('busy', report({ calls: 3, failures: 1 }));
    const fields = (server: RedisServer): Promise<string> =>
      server.cli('hgetall', 'holdfast:{busy}');
    const written = await fields(first);
    await until(async () => (await fields(second)) === written);
    connected.close();
    await first.stop();
    await second.cli('replicaof', 'no', 'one');
    const later = await connectTo(second, '@redis/client');
    const successor = new RedisCircuitStore({ client: later.client });
    const open = await successor.report('search', report({ version: opened.version }));
    const busy = await successor.report('busy', report({ calls: 1 }));
    const left = await second.cli('pttl', 'holdfast:{search}');
    later.close();
    await second.stop();

    expect(open).toMatchObject({ state: 'open', version: opened.version });
    expect(busy).toMatchObject({ calls: 4, failures: 1 });
    expect(Number(left)).toBeGreaterThan(600_000);
  });
});

describe.skipIf(redis.isMissing).each(CLIENT_KINDS)(`a full Redis by %s${redis.why}`, (kind) => {
  it('is told as an error, changes nothing by halves, and works again with room', async () => {
    const server = await RedisServer.start(['--maxmemory-policy', 'noeviction']);
    const connected = await connectTo(server, kind);
    const store = new RedisCircuitStore({ client: connected.client });
    await store.report('search', FAILED);
    const read = (): Promise<string> => server.cli('hgetall', 'holdfast:{search}');
    const before = await read();
    await server.cli('config', 'set', 'maxmemory', '1');
    const endings = [
      await ending(store.override('search', { type: 'reset', replica: 'a' })),
      await ending(store.report('new', report({ calls: 1 }))),
      await ending(store.join(REPLICA, 1_000)),
    ];
    const after = await read();
    await server.cli('config', 'set', 'maxmemory', '0');
    const again = await store.override('search', { type: 'reset', replica: 'a' });
    connected.close();
    await server.stop();

    for (const { error, tookMs } of endings) {
      expect(error).toBeInstanceOf(CircuitStoreError);
      expect(String(error)).toContain('OOM');
      expect(tookMs).toBeLessThan(1_000);
    }
    expect(after).toBe(before);
    expect(again.state).toBe('closed');
  });
});
