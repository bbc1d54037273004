import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { chooseUpstream } from './choose-upstream.ts';
import { matchesPattern } from './matches-pattern.ts';

const upstream = (given: Partial<UpstreamConfig>): UpstreamConfig => ({
  ...CONFIG_DEFAULTS.upstream,
  name: 'local',
  url: 'http://127.0.0.1:1/v1',
  headers: {},
  ...given,
});

describe('a pattern', () => {
  test.each([
    ['*', 'anything', true],
    ['qwen3', 'qwen3', true],
    ['qwen3', 'qwen3-coder', false],
    ['claude-*', 'claude-opus', true],
    ['claude-*', 'my-claude-opus', false],
    ['*coder*', 'qwen3-coder-30b', true],
    ['a*b*c', 'axxbxxc', true],
    ['a*b*c', 'axxc', false],
    ['ab*ba', 'aba', false],
    ['*-*', '-', true],
    ['.*', 'x', false],
  ])('%s and the name %s: %s', (pattern, name, fits) => {
    expect(matchesPattern(pattern, name)).toBe(fits);
  });

  test('of many stars takes no longer than its name is long', () => {
    const started = performance.now();
    matchesPattern('*a'.repeat(2000) + '*b', 'a'.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('the upstream of a model', () => {
  const big = upstream({ name: 'big', models: ['qwen3-*'] });
  const rest = upstream({ name: 'rest', modelMap: { 'claude-*': 'llama', 'claude-3': 'old' } });

  test('is the first that has it', () => {
    expect(chooseUpstream([big, rest], 'qwen3-8b')?.upstream.name).toBe('big');
    expect(chooseUpstream([big, rest], 'other')?.upstream.name).toBe('rest');
    expect(chooseUpstream([big], 'other')).toBeUndefined();
  });

  test('is asked for what it calls the model, an exact name before a pattern', () => {
    expect(chooseUpstream([rest], 'claude-opus')?.model).toBe('llama');
    expect(chooseUpstream([rest], 'claude-3')?.model).toBe('old');
    expect(chooseUpstream([rest], 'gpt')?.model).toBe('gpt');
    expect(chooseUpstream([rest], '__proto__')?.model).toBe('__proto__');
  });

  test('may have only the model that a name stands for', () => {
    const one = upstream({ models: ['llama'], modelMap: { '*': 'llama' } });
    expect(chooseUpstream([one], 'claude-opus')?.model).toBe('llama');
  });
});
