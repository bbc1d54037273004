import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../packages/gateway/src/config/load-config.ts';
import { readMcpServers } from '../packages/gateway/src/mcp/config/read-mcp-servers.ts';
import { MCP_DEFAULTS } from '../packages/gateway/src/mcp/mcp-defaults.ts';
import { connectSdkV2 } from './support/connect-sdk-v2.ts';
import { readPage } from './support/markdown.ts';
import { defaultsIn } from './support/markdown-tables.ts';
import type { McpTestClient } from './support/mcp-test-client.ts';
import { readText, root } from './support/repository.ts';
import { startMcpGateway } from './support/start-mcp-gateway.ts';
import type { Serving } from './support/start-serving.ts';

const PAGE = 'docs/mcp.md';

const blocksOf = (language: string): readonly string[] =>
  readPage(readText(PAGE))
    .fences.filter((fence) => fence.language === language)
    .map(({ body }) => body.join('\n'));

/** The JSON of the page that has this key at its top. */
const jsonWith = (key: string): readonly unknown[] =>
  blocksOf('json')
    .map((text) => JSON.parse(text) as object)
    .filter((value) => key in value);

/** Times differ from run to run. */
const withoutTimes = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/[\d-]{10}T[\d:.]{12}Z \(in \d+ s\)/g, '<time>')
      .replaceAll(/("circuit_(?:open_until|retry_after_seconds)":)[\d.]+/g, '$1"<time>"')
      .replaceAll(/within \d+ s/g, 'within <time>'),
  );

describe('the page on the MCP gateway', () => {
  let gateway: Serving;
  let client: McpTestClient;

  beforeAll(async () => {
    const files = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js';
    const moody = [join(root, 'test/support/moody-server.mjs'), 'charge_card', 'charge_invoice'];
    const mcpServers = {
      files: { command: process.execPath, args: [join(root, files), tmpdir()] },
      payments: { command: process.execPath, args: moody, timeout: 1 },
    };
    gateway = await startMcpGateway({ mcpServers }, ['--no-advice']);
    client = await connectSdkV2({ url: gateway.url });
  });
  afterAll(async () => {
    await client.close();
    await gateway.close();
  });

  it('shows how mended arguments are told', async () => {
    const { _meta } = await client.callTool('files__read_text_file', { path: 'x', head: '20' });
    const [shown] = jsonWith('holdfast/repairs');
    expect(_meta).toMatchObject(shown as object);
  });

  it('shows how arguments that do not fit are told', async () => {
    const { isError, content } = await client.callTool('files__read_text_file', { head: 'many' });
    const [shown] = jsonWith('isError');
    expect({ isError, content }).toEqual(shown);
  });

  it('shows what the model reads of a timeout, and of a refused call', async () => {
    await client.callTool('payments__mood', { is: 'silent' });
    const { content } = await client.callTool('payments__charge_card');
    const quoted = readText(PAGE)
      .match(/^> .+ did not answer .+$/m)?.[0]
      .slice(2);
    expect(withoutTimes(content)).toEqual([{ type: 'text', text: withoutTimes(quoted) }]);

    await client.callTool('payments__mood', { is: 'failing' });
    for (let made = 1; made < 5; made++) await client.callTool('payments__charge_card');
    const refused = await client.callTool('payments__charge_card');
    const [, shown] = jsonWith('isError');
    expect(withoutTimes(refused)).toEqual(withoutTimes(shown));
  });

  it('shows files of servers that can be read', () => {
    const shown = blocksOf('json').filter((text) => /"(?:mcpS|s)ervers"/.test(text));
    expect(shown).toHaveLength(4);
    for (const text of shown) {
      const file = '/home/ada/.mcp.json';
      const { settings } = MCP_DEFAULTS;
      const read = readMcpServers(text, { file, env: {}, settings, readFile: () => '' });
      expect(read).toMatchObject({ ok: true });
    }
  });

  it('shows a configuration that can be loaded', () => {
    const [shown = ''] = blocksOf('yaml');
    const env = { PAYMENTS_KEY: 'key-1' };
    const text = shown.replace(/^ {2}files: .+$/m, '');
    expect(loadConfig(text, { file: PAGE, env })).toMatchObject({
      ok: true,
      config: { mcp: { servers: [{ name: 'payments', timeoutMs: 30_000 }] } },
    });
  });

  it('states the defaults that are in force', () => {
    expect(defaultsIn(PAGE, '| key | default | what it does |')).toEqual(MCP_DEFAULTS.settings);
  });
});
