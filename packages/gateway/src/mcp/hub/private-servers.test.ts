import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { serverConfig } from '../server-config.case.ts';
import { upstreamToScripted } from '../upstream/scripted-server.case.ts';
import { PrivateServers } from './private-servers.ts';

const config = serverConfig('files');

function begin(present: readonly string[] = []): {
  readonly servers: PrivateServers;
  readonly clock: ManualClock;
  readonly made: string[];
} {
  const clock = new ManualClock();
  const made: string[] = [];
  const servers = new PrivateServers({
    make: (_config, client) => {
      made.push(client);
      return upstreamToScripted().server;
    },
    isPresent: (client) => present.includes(client),
    clock,
  });
  return { servers, clock, made };
}

describe('servers that each client has for itself', () => {
  test('are made once for each', () => {
    const { servers, made } = begin();
    expect(servers.get(config, 'a')).toBe(servers.get(config, 'a'));
    expect(servers.get(config, 'b')).not.toBe(servers.get(config, 'a'));
    expect(made).toEqual(['a', 'b']);
    expect(servers.of('a')).toHaveLength(1);
    expect(servers.of('unknown')).toEqual([]);
  });

  test('end with their client', async () => {
    const { servers } = begin();
    const [first, second] = [servers.get(config, 'a'), servers.get(config, 'b')];
    await servers.close('a');
    expect([first.status.state, second.status.state]).toEqual(['closed', 'new']);
    await servers.closeAll();
    expect(second.status.state).toBe('closed');
  });

  test('are not started for a call that goes on after all of them were closed', async () => {
    const { servers, clock } = begin();
    servers.get(config, 'a');
    await servers.closeAll();
    const late = servers.get(config, 'a');
    expect(late.status.state).toBe('closed');
    await expect(late.connect()).rejects.toThrow('is closed');
    expect(servers.of('a')).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('are not started for a call that goes on after its client has gone for good', async () => {
    const { servers } = begin();
    const first = servers.get(config, 'a');
    await servers.end('a');
    expect(first.status.state).toBe('closed');
    expect(servers.get(config, 'a').status.state).toBe('closed');
    expect(servers.of('a')).toEqual([]);
    expect(servers.get(config, 'b').status.state).toBe('new');
    servers.begin('a');
    expect(servers.get(config, 'a').status.state).toBe('new');
    await servers.closeAll();
  });

  test('end when they are not used for ten minutes, unless the client is still there', async () => {
    const { servers, clock } = begin(['present']);
    const idle = servers.get(config, 'idle');
    const kept = servers.get(config, 'present');
    const used = servers.get(config, 'used');
    await clock.advance(300_000);
    servers.get(config, 'used');
    await clock.advance(300_000);
    expect([idle, kept, used].map(({ status }) => status.state)).toEqual(['closed', 'new', 'new']);
    await clock.advance(300_000);
    expect(used.status.state).toBe('closed');
    await servers.closeAll();
    expect(clock.pendingTimers).toBe(0);
  });
});
