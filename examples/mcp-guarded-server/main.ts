// An MCP server whose tool goes down and comes back, behind `holdfast mcp`: what an agent's model reads.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const holdfast = here('../../packages/gateway/src/cli/main.ts');

// What a client is configured with: holdfast mcp --config servers.json
const client = new Client({ name: 'agent', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [...process.execArgv, holdfast, 'mcp', '--config', here('servers.json')],
    stderr: 'ignore',
  }),
);

/** Calls a tool, and returns what the model reads. */
async function call(name: string): Promise<string> {
  const { content, isError } = await client.callTool({ name });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  console.log(`${name}: ${isError === true ? 'failed' : 'done'}`);
  console.log(
    `  ${text.replace(/before \S+ \(in \d s\)/, 'before … (in 1 s)')}`.replaceAll('\n', '\n  '),
  );
  return text;
}

console.log('-- the bank is down --');
await call('payment_api');
await call('payment_api');

console.log('\n-- the model tries again --');
assert.match(await call('payment_api'), /^payment_api was not called: it failed 2 times in a row/);

console.log('\n-- the bank comes back --');
assert.equal(await call('bank'), '2', 'the server was not asked while the circuit was open');
await new Promise((resolve) => setTimeout(resolve, 1000));
assert.equal(await call('payment_api'), 'paid');

await client.close();
