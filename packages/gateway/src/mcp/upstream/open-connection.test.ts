import { systemClock } from '@holdfast/core/guard';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { serverConfig } from '../server-config.case.ts';
import type { Connection } from './connection.ts';
import { EraVerdicts } from './era-verdicts.ts';
import { openConnection } from './open-connection.ts';
import type { OpenConnectionOptions } from './open-connection.ts';
import { ScriptedServer } from './scripted-server.case.ts';

const verdicts = (): EraVerdicts => new EraVerdicts(new ManualClock());

function open(
  script: Pick<ScriptedServer, 'createTransport'>,
  more: Partial<OpenConnectionOptions> = {},
): Promise<Connection> {
  return openConnection({
    server: serverConfig('scripted'),
    identity: { info: { name: 'test', version: '1' }, capabilities: {} },
    listener: {
      onRequest: () => Promise.reject(new Error('nobody is there')),
      onNotification: () => undefined,
      onClose: () => undefined,
      onOddity: () => undefined,
      onDropped: () => undefined,
    },
    clock: systemClock,
    timeoutMs: 5000,
    verdicts: verdicts(),
    createTransport: script.createTransport,
    log: memoryLogger(),
    ...more,
  });
}

/** A server that speaks only the newest revision. */
function modernOnly(): Pick<ScriptedServer, 'createTransport'> {
  return {
    createTransport: () => {
      const [near, far] = InMemoryTransport.createLinkedPair();
      const make = (): McpServer => new McpServer({ name: 'modern', version: '1' });
      serveStdio(make, { transport: far, legacy: 'reject' });
      return near;
    },
  };
}

describe('a connection', () => {
  test('is of the era that the server speaks, and the next one does not probe', async () => {
    const script = new ScriptedServer();
    const known = verdicts();
    expect((await open(script, { verdicts: known })).era).toBe('legacy');
    expect(script.count('server/discover')).toBe(1);
    expect((await open(script, { verdicts: known })).era).toBe('legacy');
    expect(script.count('server/discover')).toBe(1);
    expect((await open(modernOnly())).era).toBe('modern');
  });

  test('is made although the server ends at a question before the handshake', async () => {
    const script = new ScriptedServer();
    script.mood = 'ends-at-probe';
    const connection = await open(script);
    expect(connection.era).toBe('legacy');
    expect(script.starts).toBe(2);
  });

  test('is legacy without a probe where that is what our client speaks', async () => {
    const script = new ScriptedServer();
    await open(script, { prefer: 'legacy' });
    expect(script.count('server/discover')).toBe(0);
  });

  test('is modern where the server refuses the handshake our client would like', async () => {
    const connection = await open(modernOnly(), { prefer: 'legacy' });
    expect(connection.era).toBe('modern');
  });

  test('follows a server that was upgraded since the verdict', async () => {
    const known = verdicts();
    known.remember(serverConfig('scripted'), { kind: 'legacy' });
    const connection = await open(modernOnly(), { verdicts: known });
    expect(connection.era).toBe('modern');
    expect(known.find(serverConfig('scripted'))?.kind).toBe('modern');
  });

  test('is not tried twice with a server that just fails', async () => {
    const script = new ScriptedServer();
    script.mood = 'refuses';
    await expect(open(script, { prefer: 'legacy' })).rejects.toThrow('it does not start');
    expect(script.starts).toBe(1);
  });

  test('hears of its end once', async () => {
    const script = new ScriptedServer();
    let ends = 0;
    const connection = await open(script, {
      listener: {
        onRequest: () => Promise.reject(new Error('nobody is there')),
        onNotification: () => undefined,
        onClose: () => (ends += 1),
        onOddity: () => undefined,
        onDropped: () => undefined,
      },
    });
    expect(connection.isOver).toBe(false);
    await script.end();
    expect(connection.isOver).toBe(true);
    expect(ends).toBe(1);
  });
});
