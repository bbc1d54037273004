import { ManualClock } from '@holdfast/core/testing';
import { expect, test } from 'vitest';
import { ChangePace } from './change-pace.ts';

function pace(): { clock: ManualClock; told: string[]; changes: ChangePace<string> } {
  const clock = new ManualClock();
  const told: string[] = [];
  return { clock, told, changes: new ChangePace(clock, (kind) => told.push(kind)) };
}

test('a change is told of at once, and each kind for itself', () => {
  const { told, changes } = pace();
  changes.changed('tools');
  changes.changed('prompts');
  expect(told).toEqual(['tools', 'prompts']);
});

test('ten thousand changes are told of twice: at the first, and when they are over', async () => {
  const { clock, told, changes } = pace();
  for (let count = 0; count < 10_000; count++) changes.changed('tools');
  expect(told).toEqual(['tools']);
  await clock.advance(100);
  expect(told).toEqual(['tools', 'tools']);
  await clock.advance(10_000);
  expect(told).toEqual(['tools', 'tools']);
});

test('a change after a pause is told of at once again', async () => {
  const { clock, told, changes } = pace();
  changes.changed('tools');
  await clock.advance(100);
  changes.changed('tools');
  expect(told).toEqual(['tools', 'tools']);
});

test('nothing is told of once it is closed', async () => {
  const { clock, told, changes } = pace();
  changes.changed('tools');
  changes.changed('tools');
  changes.close();
  await clock.advance(1000);
  expect(told).toEqual(['tools']);
});
