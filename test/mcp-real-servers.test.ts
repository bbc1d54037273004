import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { root } from './support/repository.ts';
import { startMcpGateway, wrapServer } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-servers-'));
const note = join(folder, 'note.txt');

afterAll(() => rmSync(folder, { recursive: true }));

const main = (name: string): string =>
  join(root, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js');

interface RealServer {
  readonly args: readonly string[];
  readonly call: readonly [tool: string, args: Record<string, unknown>];
}

/** Servers as they are on npm, with a call whose answer is always the same. */
const servers: Readonly<Record<string, RealServer>> = {
  everything: {
    args: [main('server-everything'), 'stdio'],
    call: ['get-sum', { a: 2, b: 3 }],
  },
  filesystem: {
    args: [main('server-filesystem'), folder],
    call: ['write_file', { path: note, content: 'größe' }],
  },
  memory: {
    args: [main('server-memory')],
    call: ['search_nodes', { query: 'nothing that is there' }],
  },
};

describe.for(Object.entries(servers))('%s, wrapped in place', ([, { args, call }]) => {
  let direct: McpTestClient;
  let wrapped: McpTestClient;

  beforeAll(async () => {
    [direct, wrapped] = await Promise.all([
      connectSdkV2({ start: args }),
      connectSdkV2({ start: wrapServer([process.execPath, ...args]) }),
    ]);
  });

  afterAll(() => Promise.all([direct.close(), wrapped.close()]));

  test('shows the same tools, down to their schemas', async () => {
    expect(await wrapped.listTools()).toEqual(await direct.listTools());
  });

  test('answers the same', async () => {
    const { content, structuredContent } = await direct.callTool(...call);
    const answered = await wrapped.callTool(...call);

    expect(answered.content).toEqual(content);
    expect(answered.structuredContent).toEqual(structuredContent);
  });
});

describe('three servers behind one endpoint', () => {
  let gateway: Serving;
  let client: McpTestClient;

  beforeAll(async () => {
    const mcpServers = Object.fromEntries(
      Object.entries(servers).map(([name, { args }]) => [
        name,
        { command: process.execPath, args },
      ]),
    );
    gateway = await startMcpGateway({ mcpServers });
    client = await connectSdkV2({ url: gateway.url }, 'modern');
  });

  afterAll(async () => {
    await client.close();
    await gateway.close();
  });

  test('show their tools one server after the other, with its name in front', async () => {
    const names = (await client.listTools()).map(({ name }) => name);

    expect(names.map((name) => name.split('__')[0])).toEqual(
      names.map((name) => name.split('__')[0]).toSorted(),
    );
    expect(names).toEqual(
      expect.arrayContaining([
        'everything__echo',
        'filesystem__read_text_file',
        'memory__read_graph',
      ]),
    );
  });

  test('do what they are asked', async () => {
    const said = 'größe "42"';
    await client.callTool('filesystem__write_file', { path: note, content: said });

    expect(readFileSync(note, 'utf8')).toBe(said);
    expect(await client.callTool('everything__echo', { message: said })).toMatchObject({
      content: [{ type: 'text', text: `Echo: ${said}` }],
    });
  });

  test('report progress of what takes long', async () => {
    client.heard.progress.splice(0);
    await client.callTool('everything__trigger-long-running-operation', {
      duration: 0.4,
      steps: 4,
    });

    // The SDK's client tells of its own rounds of questions in between, and may miss what comes with the answer.
    expect([...new Set(client.heard.progress)].slice(0, 3)).toEqual([1, 2, 3]);
  });

  test('keep structured content as the server wrote it', async () => {
    const { structuredContent } = await client.callTool('everything__get-structured-content', {
      location: 'New York',
    });

    expect(structuredContent).toEqual({ temperature: 33, conditions: 'Cloudy', humidity: 82 });
  });

  test('get arguments set right that do not quite fit', async () => {
    const { content } = await client.callTool('everything__get-sum', { a: '2', b: '3' });

    expect(content).toEqual([{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
  });
});
