import { ManualClock } from '@holdfast/core/testing';
import { expect, test } from 'vitest';
import { CALL_RUN_LIMITS, CallRuns } from './call-runs.ts';
import { standInPlugins } from './stand-in-plugins.case.ts';

test('no more calls are kept than the limit: the oldest is given up', () => {
  const plugins = standInPlugins();
  const runs = new CallRuns(new ManualClock());
  for (let index = 0; index <= CALL_RUN_LIMITS.max; index++)
    runs.called(runs.begin({ requestId: `r${index}`, tool: 'a' }, plugins));
  expect(runs.size).toBe(10_000);
  expect(plugins.seen).toEqual(['abandon r0']);
});

test('a call begins with the plugins of its time, and ends with them', async () => {
  const old = standInPlugins();
  const next = standInPlugins();
  const runs = new CallRuns(new ManualClock());
  runs.called(runs.begin({ requestId: 'r1', tool: 'a' }, old));
  await runs.end({ requestId: 'r1', tool: 'a' }, next).run?.post('done');
  await runs.begin({ requestId: 'r2', tool: 'a' }, next).run?.pre({});
  expect([old.seen, next.seen]).toEqual([['post r1'], ['pre r2']]);
});
