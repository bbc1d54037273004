import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LABEL_LIMITS } from '../packages/gateway/src/metrics/label-book.ts';
import { askTurn, callTools, scrape, SECRETS, startBusyGateway } from './support/busy-gateway.ts';
import type { GatewayHere } from './support/gateway-here.ts';
import { needsPart } from './support/needs-part.ts';

const promtool = needsPart('promtool');

let gateway: GatewayHere;
let text = '';

beforeAll(async () => {
  gateway = await startBusyGateway();
  text = await (await scrape(gateway.url)).text();
}, 30_000);
afterAll(() => gateway.close());

describe('the metrics of a gateway that has worked', () => {
  test('need the token', async () => {
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401);
    expect((await scrape(gateway.url)).status).toBe(200);
  });

  test.each([
    ['turns', 'holdfast_turns_total{protocol="chat",model="tiny",outcome="ok"} 2'],
    [
      'turns that failed',
      'holdfast_turns_total{protocol="chat",model="broken",outcome="failed"} 2',
    ],
    [
      'calls that were read',
      'holdfast_parse_turns_total{model="tiny",format="qwen",result="calls"} 2',
    ],
    ['attempts', 'holdfast_upstream_attempts_total{upstream="first",outcome="ok"} 2'],
    ['failovers', 'holdfast_upstream_failovers_total{upstream="second"} 2'],
    [
      'tool calls',
      'holdfast_tool_calls_total{source="mcp",server="weather",tool="get_weather",outcome="ok"} 1',
    ],
    [
      'refusals',
      'holdfast_circuit_refusals_total{source="mcp",circuit="weather/storm",shadow="no"} 3',
    ],
    ['circuits', 'holdfast_circuit_state{source="mcp",circuit="weather/storm"} 2'],
    ['timeouts', 'holdfast_timeouts_total{source="mcp",server="weather",tool="drought"} 1'],
    ['servers', 'holdfast_mcp_server_up{server="weather"} 1'],
    ['streams that are over', 'holdfast_turns_in_flight{stream="yes"} 0'],
    [
      'requests of MCP',
      'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="get_weather",network_transport="tcp",mcp_protocol_version="2026-07-28"} 1',
    ],
    [
      'requests to upstreams',
      'gen_ai_client_operation_duration_seconds_count{gen_ai_operation_name="chat",gen_ai_provider_name="first",gen_ai_request_model="tiny"} 2',
    ],
  ])('tell of %s', (_, line) => {
    expect(text.split('\n')).toContain(line);
  });

  test('hold no secret', () => {
    expect(text).not.toContain('CANARY');
    for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
  });

  test('stay small when a model calls tools that do not exist', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `invented_${at}`);
    const parts = [0, 1, 2, 3, 4].map((part) => names.filter((_, at) => at % 5 === part));
    await Promise.all(parts.map((part) => callTools(gateway.url, part)));
    const after = await (await scrape(gateway.url)).text();
    expect(after).not.toMatch(/invented_\d/);
    expect(after).toContain('tool="(unlisted)"');
  }, 30_000);

  test('name no model that the upstream does not know, and no path', async () => {
    const names = Array.from({ length: LABEL_LIMITS.model + 20 }, (_, at) => `unknown_${at}`);
    for (const name of names) await askTurn(gateway.url, name, false);
    await fetch(`${gateway.url}/v1/unknown_path`);
    await askTurn(gateway.url, 'small', false);
    const after = await (await scrape(gateway.url)).text();
    const lines = after.split('\n').filter((line) => line.includes('unknown_'));
    // Its circuit was asked, and is counted as one.
    expect(lines.filter((line) => !line.includes('circuit="first unknown_'))).toEqual([]);
    const unknown = '{protocol="chat",model="other",outcome="failed"}';
    expect(after).toContain(`holdfast_turns_total${unknown} ${names.length}\n`);
    expect(after).toContain('holdfast_turns_total{protocol="chat",model="small",outcome="ok"} 1\n');
  }, 30_000);

  test.skipIf(promtool.isMissing)(`are what promtool calls right${promtool.why}`, () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text });
    expect(`${String(stdout)}${String(stderr)}`).toBe('');
    expect(status).toBe(0);
  });
});
