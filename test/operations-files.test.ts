import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../packages/gateway/src/metrics/create-metrics.ts';
import type { MetricFamily } from '../packages/gateway/src/metrics/metric-family.ts';
import { LABEL_LIMITS } from '../packages/gateway/src/metrics/label-book.ts';
import { code, literal, tableRows } from './support/markdown-tables.ts';
import { needsPart } from './support/needs-part.ts';
import { ALERTS, DASHBOARD, readPanels, readQueries } from './support/operations-files.ts';
import { readText, root } from './support/repository.ts';

const promtool = needsPart('promtool');

function exposed(): readonly MetricFamily[] {
  const metrics = createMetrics({
    state: () => ({ circuits: [], servers: [], tools: [] }),
    isOn: () => true,
    clean: (text) => text,
    version: '1',
    clock: new ManualClock(),
  });
  const families = metrics.collect();
  metrics.close();
  return families;
}

const families = exposed();

/** Names as they are scraped: a histogram has three. */
const names = new Set(
  families.flatMap(({ info: { name }, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
);
const labels = new Set(families.flatMap(({ info }) => info.labels ?? []));

describe('the page on metrics', () => {
  const page = 'docs/operations/README.md';

  test('has a row for every metric that is exposed, and for no other', () => {
    const rows = tableRows(page, '| metric | type | labels | what it tells |');
    const told = rows.map(([name, type, labelled, help]) => [
      code(name!),
      type,
      labelled === '' ? [] : labelled!.split(', ').map(code),
      help,
    ]);
    expect(told).toEqual(
      families.map(({ info, type }) => [info.name, type, info.labels ?? [], info.help]),
    );
  });

  test('says how many values a label may have', () => {
    const rows = tableRows(page, '| label | values beside those that exist |');
    const told = rows.map(([label, limit]) => [code(label!), literal(limit!)]);
    expect(Object.fromEntries(told)).toEqual(LABEL_LIMITS);
  });
});

describe('the dashboard and the alerts', () => {
  test.each(readQueries())('ask only for what there is: %s', (_, expr) => {
    const asked = expr.match(/\b(?:holdfast|gen_ai|mcp|process|nodejs)_[a-z0-9_]+/g) ?? [];
    const unknown = asked.filter((name) => !names.has(name) && !labels.has(name));
    expect(unknown).toEqual([]);
    // What stands before a selector or a bracket is a metric, whatever labels are called.
    const selected = expr.match(/\b[a-z_]\w*(?=[{[])/g) ?? [];
    expect(selected.filter((name) => name !== 'up' && !names.has(name))).toEqual([]);
  });

  test('look at every metric that can go wrong', () => {
    const all = readQueries().map(([, expr]) => expr);
    const unseen = families
      .map(({ info }) => info.name)
      .filter((name) => !all.some((expr) => expr.includes(name)));
    expect(unseen.sort()).toEqual([
      'gen_ai_client_operation_time_to_first_chunk_seconds',
      'holdfast_mcp_messages_dropped_total',
      'holdfast_mcp_server_reconnects_total',
      'holdfast_metrics_folded_total',
      'holdfast_plugin_stops_total',
      'holdfast_results_cut_total',
      'holdfast_store_losses_total',
      'holdfast_turn_calls_total',
      'holdfast_turns_asked_again_total',
      'holdfast_upstream_failovers_total',
      'process_start_time_seconds',
    ]);
  });

  test('are a dashboard that can be imported anywhere', () => {
    const dashboard = JSON.parse(readText(DASHBOARD)) as Record<string, unknown>;
    expect(dashboard).toMatchObject({ id: null, uid: 'holdfast', title: 'Holdfast' });
    // Whose data it is shows only where it is imported.
    const sources = readText(DASHBOARD).match(/"uid": "(?!holdfast")[^"]*"/g) ?? [];
    expect(new Set(sources)).toEqual(new Set(['"uid": "${datasource}"']));
    const panels = readPanels();
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      expect(panel.description, panel.title).toMatch(/\.$/);
      expect(panel.targets?.length, panel.title).toBeGreaterThan(0);
    }
  });

  test('has panels that do not lie on each other', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of readPanels()) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.get(`${x}:${y}`), title).toBeUndefined();
          taken.set(`${x}:${y}`, title);
        }
      }
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
    }
  });

  test.skipIf(promtool.isMissing)(`are rules that promtool calls right${promtool.why}`, () => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', join(root, ALERTS)]);
    expect(String(stderr)).toBe('');
    expect(status).toBe(0);
  });

  test.skipIf(promtool.isMissing)(`fire when they should${promtool.why}`, () => {
    const cases = join(root, 'test', 'support', 'alert-cases.yml');
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', cases]);
    expect(`${String(stdout)}${String(stderr)}`).toContain('SUCCESS');
    expect(status).toBe(0);
  });
});
