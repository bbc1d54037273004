import { describe, expect, test } from 'vitest';
import { lostChecks } from './lost-checks.ts';
import type { Check, CheckStatus } from './run-conformance.ts';

const check = (id: string, status: CheckStatus, message?: string): Check => ({
  scenario: 'tools-list',
  id,
  description: `about ${id}`,
  status,
  ...(message !== undefined && { message }),
});

describe('a check', () => {
  test('that passes both times is not lost', () => {
    const run = [check('a', 'SUCCESS'), check('b', 'SUCCESS')];

    expect(lostChecks(run, run.toReversed())).toEqual([]);
  });

  test('that fails, or is not made at all, is lost', () => {
    const direct = [check('a', 'SUCCESS'), check('b', 'SUCCESS'), check('c', 'SUCCESS')];
    const through = [check('a', 'FAILURE', 'no tools'), check('c', 'INFO')];

    expect(lostChecks(direct, through)).toMatchObject([
      { id: 'a', seen: ['FAILURE: no tools'] },
      { id: 'b', seen: ['not checked'] },
      { id: 'c', seen: ['INFO: no reason given'] },
    ]);
  });

  test('that is made in several ways is lost when one of them fails', () => {
    const direct = [check('a', 'SUCCESS'), check('a', 'SUCCESS')];
    const through = [check('a', 'SUCCESS'), check('a', 'WARNING', 'slow')];

    expect(lostChecks(direct, through)).toHaveLength(1);
  });

  test('that fails direct too is not lost, and one that passes only through the gateway is no loss', () => {
    expect(lostChecks([check('a', 'FAILURE')], [check('a', 'FAILURE')])).toEqual([]);
    expect(lostChecks([check('a', 'FAILURE')], [check('a', 'SUCCESS')])).toEqual([]);
  });
});
