import { ManualClock } from '@holdfast/core/testing';
import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { LEARNED_FOR_MS, ReasoningStarts } from './reasoning-starts.ts';

const UPSTREAM: UpstreamConfig = { ...CONFIG_DEFAULTS.upstream, name: 'own', url: 'http://own/v1' };

describe('where a model begins to answer', () => {
  const clock = new ManualClock();
  const starts = (most?: number): ReasoningStarts => new ReasoningStarts(clock, most);
  const of = (known: ReasoningStarts, model = 'm', upstream = UPSTREAM): unknown =>
    known.startFor(upstream, model, 'auto').startsInReasoning;

  test.each([
    ['deepseek-r1:14b', true],
    ['DeepSeek-R1-Distill-Qwen-7B', true],
    ['qwq:32b', true],
    ['Qwen/Qwen3-30B-A3B-Thinking-2507', true],
    ['MiniMaxAI/MiniMax-M2', true],
    ['qwen3-coder', 'auto'],
    ['deepseek-v3', 'auto'],
  ])('is known by the name %s: %s', (model, expected) => {
    expect(of(starts(), model)).toBe(expected);
  });

  test('is the entry of the upstream, then the default, before what was learned', () => {
    const known = starts();
    const upstream = { ...UPSTREAM, startsInReasoning: { m: false, 'q*': 'auto' } } as const;
    known.learn(upstream, 'm', 'orphan-end');
    expect(known.startFor(upstream, 'm', true)).toEqual({
      startsInReasoning: false,
      isAssumed: false,
    });
    expect(known.startFor(upstream, 'qwq', true).startsInReasoning).toBe(true);
    expect(known.startFor(upstream, 'other', false).startsInReasoning).toBe(false);
  });

  test('is forgotten after a day without an answer that shows it', async () => {
    const known = starts();
    known.learn(UPSTREAM, 'm', 'orphan-end');
    await clock.advance(LEARNED_FOR_MS - 1);
    known.learn(UPSTREAM, 'm', 'inside');
    await clock.advance(LEARNED_FOR_MS - 1);
    expect(of(known)).toBe(true);
    await clock.advance(1);
    expect(of(known)).toBe('auto');
    expect(known.entries()).toEqual([]);
  });

  test('is learned to be outside by three answers, and for a day', async () => {
    const known = starts();
    for (const expected of ['auto', 'auto', false]) {
      known.learn(UPSTREAM, 'm', 'outside');
      expect(of(known)).toBe(expected);
    }
    await clock.advance(LEARNED_FOR_MS / 2);
    known.learn(UPSTREAM, 'm', 'outside');
    await clock.advance(LEARNED_FOR_MS / 2);
    expect(of(known)).toBe('auto');
  });

  test('is never learned to be outside for a family that always reasons', () => {
    const known = starts();
    for (let turn = 0; turn < 9; turn++) known.learn(UPSTREAM, 'qwq', 'outside');
    expect(of(known, 'qwq')).toBe(true);
    known.learn(UPSTREAM, 'qwq', 'unclosed');
    expect(of(known, 'qwq')).toBe('auto');
  });

  test('is reset for one model or for all', () => {
    const known = starts();
    for (const model of ['a', 'b', 'c']) known.learn(UPSTREAM, model, 'orphan-end');
    expect(known.reset('b')).toBe(1);
    expect(known.entries().map(({ model }) => model)).toEqual(['a', 'c']);
    expect(known.reset()).toBe(2);
    expect(of(known, 'a')).toBe('auto');
  });

  test('is kept of a bounded number of models', () => {
    const known = starts(2);
    for (const model of ['a', 'b', 'c']) known.learn(UPSTREAM, model, 'orphan-end');
    expect(known.entries().map(({ model }) => model)).toEqual(['b', 'c']);
  });
});
