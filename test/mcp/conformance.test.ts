import { afterAll, describe, expect, test } from 'vitest';
import { fixtureCommand } from '../support/mcp-fixture/fixture-command.ts';
import type { FixtureKind } from '../support/mcp-fixture/fixture-command.ts';
import { readText } from '../support/repository.ts';
import { startMcpGateway } from '../support/start-mcp-gateway.ts';
import { startServing } from '../support/start-serving.ts';
import type { Serving } from '../support/start-serving.ts';
import { conformancePage } from './conformance-page.ts';
import type { ConformanceRow } from './conformance-page.ts';
import { installMcpTools } from './install-mcp-tools.ts';
import { failed, lostChecks } from './lost-checks.ts';
import { runConformance } from './run-conformance.ts';
import type { Check, Revision } from './run-conformance.ts';

const tools = await installMcpTools();
const revisions: readonly Revision[] = ['2025-11-25', '2026-07-28'];

/**
 * Long-running calls are an extension of the protocol: neither the SDK's server nor the gateway has it. And that a
 * tool closes the stream of its own call is between the two ends of one connection: the stream to the client is
 * another one, which stays.
 */
const required = (checks: readonly Check[]): readonly Check[] =>
  checks.filter(
    ({ scenario, id }) => !scenario.startsWith('tasks-') && id !== 'server-sse-disconnect-resume',
  );

/** The fixture as it may be behind the gateway. */
const servers: readonly (readonly [name: string, legacyOnly: boolean])[] = [
  ['a server of both revisions', false],
  ['a server of 2025-11-25 only', true],
];
const transports = ['stdio', 'http'] as const;

/** The gateway in front of the fixture, which it starts itself or finds at a URL. */
async function startThrough(kind: FixtureKind): Promise<Serving> {
  const command = fixtureCommand(kind);
  if (kind.over === 'stdio') {
    return startMcpGateway({
      mcpServers: { fixture: { command: process.execPath, args: command } },
    });
  }
  const server = await startServing(command);
  const gateway = await startMcpGateway({
    mcpServers: { fixture: { type: 'http', url: server.url } },
  });
  return {
    ...gateway,
    close: async () => {
      const code = await gateway.close();
      await server.close();
      return code;
    },
  };
}

describe('the conformance suite', () => {
  const rows: ConformanceRow[] = [];
  const direct = new Map<string, readonly Check[]>();

  describe.for(servers)('against %s', ([name, legacyOnly]) => {
    test.for(revisions)('%s passes where the server knows it', async (revision) => {
      const server = await startServing(fixtureCommand({ over: 'http', legacyOnly }));
      const checks = required(await runConformance(tools, server.url, revision));
      await server.close();
      direct.set(`${revision} ${String(legacyOnly)}`, checks);
      rows.push({ way: `${name}, direct`, revision, checks, direct: checks });

      if (!legacyOnly || revision === '2025-11-25') expect(failed(checks)).toEqual([]);
      else expect(failed(checks)).not.toEqual([]);
    });

    describe.for(transports)('through Holdfast, over %s', (over) => {
      let serving: Promise<Serving> | undefined;

      afterAll(async () => (await serving)?.close());

      test.for(revisions)('%s loses not one check', async (revision) => {
        const { url } = await (serving ??= startThrough({ over, legacyOnly }));
        const checks = required(await runConformance(tools, url, revision));
        const before = direct.get(`${revision} ${String(legacyOnly)}`)!;
        rows.push({
          way: `${name}, through Holdfast over ${over}`,
          revision,
          checks,
          direct: before,
        });

        expect(lostChecks(before, checks)).toEqual([]);
      });
    });
  });

  test('docs/mcp-conformance.md tells what was seen', async () => {
    const page = conformancePage(readText('docs/mcp-conformance.md'), rows);
    await expect(page).toMatchFileSnapshot('../../docs/mcp-conformance.md');
  });
});
