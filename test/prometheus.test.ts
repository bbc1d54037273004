import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SECRETS, startBusyGateway } from './support/busy-gateway.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { needsPart } from './support/needs-part.ts';
import { ALERTS, readQueries } from './support/operations-files.ts';
import { startPrometheus } from './support/prometheus-server.ts';
import type { PrometheusServer } from './support/prometheus-server.ts';
import { root } from './support/repository.ts';

const part = needsPart('prometheus');

interface Targets {
  readonly activeTargets: readonly { readonly health: string; readonly lastError: string }[];
}

interface Answer {
  readonly result: readonly { readonly value: readonly [number, string] }[];
}

describe.skipIf(part.isMissing)(`Prometheus itself${part.why}`, () => {
  let gateway: GatewayHere;
  let prometheus: PrometheusServer;

  beforeAll(async () => {
    gateway = await startBusyGateway();
    const ruleFile = join(root, ALERTS);
    prometheus = await startPrometheus({ url: gateway.url, token: SECRETS.token, ruleFile });
  }, 30_000);
  afterAll(async () => {
    await prometheus.close();
    await gateway.close();
  });

  const query = async (expr: string): Promise<Answer> =>
    (await prometheus.ask('query', { query: expr })) as Answer;

  test('scrapes the gateway with its token', async () => {
    // It waits five seconds before it looks at what it was told to scrape.
    await vi.waitFor(
      async () => {
        const { result } = await query('count_over_time(up{job="holdfast"}[1m])');
        expect(Number(result[0]?.value[1])).toBeGreaterThanOrEqual(2);
      },
      { timeout: 25_000, interval: 100 },
    );
    const { activeTargets } = (await prometheus.ask('targets')) as Targets;
    expect(activeTargets).toMatchObject([{ health: 'up', lastError: '' }]);
  }, 30_000);

  test.each([
    ['holdfast_tool_calls_total{tool="storm",outcome="failed"}', '5'],
    ['holdfast_circuit_state{circuit="weather/storm"}', '2'],
    ['sum(gen_ai_server_request_duration_seconds_count{gen_ai_request_model="tiny"})', '2'],
    ['mcp_client_operation_duration_seconds_count{gen_ai_tool_name="drought"}', '1'],
  ])('knows %s', async (expr, value) => {
    expect((await query(expr)).result.map((each) => each.value[1])).toEqual([value]);
  });

  test('can answer all that the dashboard and the alerts ask', async () => {
    for (const [who, expr] of readQueries()) {
      const asked = expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$__range', '1h')
        .replaceAll('$instance', '.*');
      await expect(query(asked), who).resolves.toHaveProperty('result');
    }
  });

  test('has loaded the alerts', async () => {
    const { groups } = (await prometheus.ask('rules')) as {
      readonly groups: readonly { readonly rules: readonly { readonly health: string }[] }[];
    };
    const alerts = readQueries().filter(([who]) => who.startsWith('alert '));
    expect(groups.flatMap(({ rules }) => rules)).toHaveLength(alerts.length);
  });
});
