// A client of MCP's SDK whose server goes down: what the model reads, and how often the server is asked.
import assert from 'node:assert/strict';
import { guardClient } from '@holdfast/core/mcp';
import { ManualClock } from '@holdfast/core/testing';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';

let isUp = false;
let asked = 0;
const server = new McpServer({ name: 'payments', version: '1.0.0' });
server.registerTool('pay', { description: 'Pays a bill.' }, () => {
  asked++;
  if (!isUp) throw new Error('503 Service Unavailable');
  return { content: [{ type: 'text', text: 'paid' }] };
});

const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
await server.connect(serverSide);
const clock = new ManualClock();
const client = guardClient(new Client({ name: 'agent', version: '1.0.0' }), { clock });
await client.connect(clientSide);
await client.listTools();

/** Calls the tool, and returns what the model reads. */
async function pay(): Promise<string> {
  const { content, isError } = await client.callTool({ name: 'pay' });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  console.log(`${isError === true ? 'failed' : 'done'}: ${text.split('\n')[0] ?? ''}`);
  return text;
}

console.log('-- the bank is down --');
for (let call = 1; call <= 5; call++) await pay();

console.log('\n-- the model tries again --');
assert.match(await pay(), /pay was not called/);
assert.equal(asked, 5, 'the server is left alone while the circuit is open');

console.log('\n-- a minute later the bank is back --');
isUp = true;
await clock.advance(60_000);
assert.equal(await pay(), 'paid');

await client.close();
