import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { HeldTransport } from './held-transport.ts';

const ping = (id: number): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });

describe('a transport that is open before anybody listens', () => {
  test('keeps what comes, in order, and tells the first of it', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const held = new HeldTransport(far);
    await near.start();
    await near.send(ping(1));
    await near.send(ping(2));
    expect(await held.first).toEqual(ping(1));
    const heard: JSONRPCMessage[] = [];
    held.onmessage = (message) => heard.push(message);
    await held.start();
    await near.send(ping(3));
    expect(heard).toEqual([ping(1), ping(2), ping(3)]);
  });

  test('has no first message where the other side goes away in silence', async () => {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const held = new HeldTransport(far);
    await near.start();
    await near.close();
    expect(await held.first).toBeUndefined();
  });
});
