import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { History } from '../history/history.ts';
import { failedCall, observed, opened, turn } from '../history/observed.case.ts';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { historyOperation } from './history-operation.ts';
import { runningAdmin, START } from './running-admin.case.ts';
import type { RunningAdmin } from './running-admin.case.ts';

async function withHistory(): Promise<RunningAdmin & { readonly history: History; base: string }> {
  const base = mkdtempSync(join(tmpdir(), 'holdfast-history-'));
  const clock = new ManualClock(0, Date.parse(START));
  const history = new History({ folder: join(base, 'history'), log: memoryLogger(), clock });
  onTestFinished(async () => {
    await history.close();
    rmSync(base, { recursive: true });
  });
  const running = await runningAdmin({ options: { history: historyOperation(history) } });
  return { ...running, history, base };
}

describe('history over HTTP', () => {
  test('is told newest first, page by page', async () => {
    const { get, history } = await withHistory();
    const at = Date.parse(START);
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      history.record(observed(turn({ id }), at + index));
    }

    const first = (await get('/api/v1/history?kind=requests&limit=2')).json;
    expect(first).toMatchObject({ kind: 'requests', problem: null });
    expect(listOf(first['records']).map((record) => objectOf(record)['id'])).toEqual(['c', 'b']);
    expect(objectOf(listOf(first['records'])[1])['at']).toBe('2026-01-01T12:00:00.001Z');

    const before = textOf(first['next_before']);
    const second = (await get(`/api/v1/history?limit=2&before=${before}`)).json;
    expect(second).toMatchObject({
      records: [{ id: 'a', model: 'qwen3-coder' }],
      next_before: null,
    });
  });

  test('has failures and transitions apart', async () => {
    const { get, history } = await withHistory();
    const at = Date.parse(START);
    history.record(observed(failedCall(), at));
    history.record(observed(opened('pay'), at));

    expect((await get('/api/v1/history?kind=failures')).json['records']).toMatchObject([
      { tool: 'pay', class: 'server' },
    ]);
    expect((await get('/api/v1/history?kind=transitions')).json['records']).toMatchObject([
      { circuit: 'pay', to: 'open' },
    ]);
    expect((await get('/api/v1/history')).json['records']).toEqual([]);
  });

  test.each([
    ['kind=prompts', '?kind: expected requests, failures, transitions, traffic, got "prompts"'],
    ['before=7', '?before: expected next_before of an earlier answer, got "7"'],
    ['limit=501', '?limit: expected a whole number from 1 to 500, got "501"'],
  ])('refuses %s', async (query, message) => {
    const { get } = await withHistory();
    const { status, json } = await get(`/api/v1/history?${query}`);
    expect(status).toBe(400);
    expect(objectOf(json['error'])['message']).toBe(message);
  });

  test('says why it cannot be read', async () => {
    const { get, base } = await withHistory();
    writeFileSync(join(base, 'history'), '');
    const { status, json } = await get('/api/v1/history');
    expect(status).toBe(500);
    expect(objectOf(json['error'])['message']).toMatch(
      /^the history cannot be read: .* is no folder$/,
    );
  });

  test('says that none is kept', async () => {
    const { get } = await runningAdmin();
    const { status, json } = await get('/api/v1/history');
    expect(status).toBe(404);
    expect(objectOf(json['error'])['message']).toBe(
      'no history is kept: observe.history is false, or --no-history was given',
    );
  });
});
