import { Client } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { makeChild } from './run-child.case.ts';

/** A server of the older era: `now` answers, `die` ends the process, `hang` does neither. */
const SERVER = `
const reply = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    reply(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  } else if (method === 'tools/call' && params.name === 'now') reply(id, { content: [{ type: 'text', text: 'noon' }] });
  else if (method === 'tools/call' && params.name === 'die') { console.error('out of memory'); process.exit(137); }
});`;

describe('a client of the SDK over a child', () => {
  test('calls tools, and learns at once when the child ends in the middle of calls', async () => {
    const { transport } = makeChild(SERVER);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    const answer = await client.callTool({ name: 'now' });
    expect(answer.content).toEqual([{ type: 'text', text: 'noon' }]);
    const pending = Array.from({ length: 20 }, () => client.callTool({ name: 'hang' }));
    const failed = Promise.allSettled(pending);
    const last = client.callTool({ name: 'die' });
    await expect(last).rejects.toThrow('Connection closed');
    const before = performance.now();
    const outcomes = await failed;
    expect(performance.now() - before).toBeLessThan(100);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(transport.ending).toBe('The server fixture ended with code 137: out of memory');
    await client.close();
  });
});
