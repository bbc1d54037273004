import { describe, expect, it } from 'vitest';
import { TOOL_RUNNER_DEFAULTS } from '@holdfast/core';
import {
  BACKOFF_DEFAULTS,
  backoffDelay,
  BULKHEAD_DEFAULTS,
  EXECUTOR_DEFAULTS,
  formatGuardEvent,
  LAST_GOOD_DEFAULTS,
  RETRY_BUDGET_DEFAULTS,
  RETRY_DEFAULTS,
} from '@holdfast/core/guard';
import type { GuardEvent, Jitter } from '@holdfast/core/guard';
import { code, defaultsIn, tableRows } from './support/markdown-tables.ts';

type AbandonReason = Extract<GuardEvent, { type: 'retry-abandoned' }>['reason'];

/** All of them, or this does not compile. */
const REASONS: Readonly<Record<AbandonReason, true>> = {
  budget: true,
  deadline: true,
  'retry-after': true,
  'circuit-open': true,
  probe: true,
  'not-idempotent': true,
  aborted: true,
};

describe('tables of retries and policies in the docs', () => {
  it.each([
    ['docs/retry.md', '| option | default | what it does |', RETRY_DEFAULTS],
    [
      'docs/retry-budget.md',
      '| option of the budget | default | what it is |',
      RETRY_BUDGET_DEFAULTS,
    ],
    ['docs/bulkhead.md', '| option of the bulkhead | default | what it does |', BULKHEAD_DEFAULTS],
    [
      'docs/fallback.md',
      '| option of the last good values | default | what it does |',
      LAST_GOOD_DEFAULTS,
    ],
    [
      'docs/running-tools.md',
      '| option of the executor | default | what it does |',
      EXECUTOR_DEFAULTS,
    ],
    ['docs/running-tools.md', '| option | default | what it does |', TOOL_RUNNER_DEFAULTS],
  ])('state the defaults that are in force: %s, %s', (page, header, defaults) => {
    expect(defaultsIn(page, header)).toEqual(defaults);
  });

  it('state between what a delay is drawn', () => {
    const header = '| jitter | the delay before the third retry, by default |';
    for (const [cell, range] of tableRows('docs/retry.md', header)) {
      const settings = { ...BACKOFF_DEFAULTS, jitter: code(cell!) as Jitter };
      const drawn = [0, 1].map((chance) => backoffDelay(3, settings, () => chance));
      expect(range).toBe(drawn.join(' to '));
    }
  });

  it('explain every reason why there is no other attempt', () => {
    const rows = tableRows('docs/retry.md', '| reason in the event | what happened |');
    expect(rows.map(([cell]) => code(cell!)).sort()).toEqual(Object.keys(REASONS).sort());
    const failure = { class: 'server', message: 'HTTP 503' } as const;
    for (const reason of Object.keys(REASONS) as AbandonReason[]) {
      const line = formatGuardEvent({
        type: 'retry-abandoned',
        name: 'search',
        attempt: 1,
        reason,
        failure,
      });
      expect(line).toMatch(/^No retry for search after attempt 1: \w/);
    }
  });
});
