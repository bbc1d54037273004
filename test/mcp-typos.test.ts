import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { FaultyServers } from './support/faulty-servers.ts';
import { startGatewayHere } from './support/gateway-here.ts';
import { runCli } from './support/run-cli.ts';

const servers = new FaultyServers();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-typos-'));
const plugins = join(folder, 'plugins.yaml');
const PATIENCE = { timeout: 8000, interval: 20 };

afterAll(() => {
  servers.remove();
  rmSync(folder, { recursive: true });
});

describe('a configuration that names a tool that no server lists', () => {
  test('is warned of, once, with the tool that was meant', async () => {
    writeFileSync(
      plugins,
      '- { name: cb, kind: circuit-breaker, config: { tool_overrides: { ecko: {}, echo: {} } } }',
    );
    const entry = servers.entry('one', {
      toolTimeouts: { hnag: 900_000, hang: 900_000 },
      idempotentTools: ['reed', 'read'],
      circuit: { toolCounts: { flakey: { 'tool-error': false }, flaky: {} } },
    });
    const mcp = { servers: { one: entry, two: servers.entry('two') }, plugins };
    const gateway = await startGatewayHere({ mcp });
    const warnings = (): readonly string[] =>
      gateway.log.entries.flatMap(({ level, message }) =>
        level === 'warn' && message.includes('names the tool') ? [message] : [],
      );
    await vi.waitFor(() => expect(warnings()).toHaveLength(4), PATIENCE);
    await gateway.close();

    expect([...warnings()].sort()).toEqual([
      'circuit.toolCounts of the server one names the tool flakey, which is not listed; did you mean flaky?',
      'idempotentTools of the server one names the tool reed, which is not listed; did you mean read?',
      'toolTimeouts of the server one names the tool hnag, which is not listed; did you mean hang?',
      'tool_overrides of the plugin cb names the tool ecko, which is not listed; did you mean echo?',
    ]);
  });
});

test('holdfast up refuses a server with a key that does not exist', async () => {
  const file = join(folder, 'holdfast.yaml');
  writeFileSync(file, 'mcp: { servers: { a: { command: x, idempotentTool: [put] } } }');
  const { code, stderr } = await runCli(['up', '--config', file]);

  expect(code).toBe(2);
  expect(stderr).toContain(
    'mcp.servers.a.idempotentTool: unknown key; did you mean idempotentTools?',
  );
});
