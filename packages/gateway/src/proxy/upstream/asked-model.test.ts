import { describe, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../config/config-defaults.ts';
import type { UpstreamConfig } from '../../config/gateway-config.ts';
import { askedModel } from './asked-model.ts';
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

describe('a model that a client asks for', () => {
  const big = upstream({ models: ['qwen3-*'] });
  const rest = upstream({ modelMap: { 'claude-*': 'llama', 'claude-3': 'old' } });

  test('is one of an upstream whose patterns fit', () => {
    expect(askedModel(big, 'qwen3-8b')).toBe('qwen3-8b');
    expect(askedModel(big, 'other')).toBeUndefined();
    expect(askedModel(rest, 'other')).toBe('other');
  });

  test('may have another name there, an exact one before a pattern', () => {
    expect(askedModel(rest, 'claude-opus')).toBe('llama');
    expect(askedModel(rest, 'claude-3')).toBe('old');
    expect(askedModel(rest, '__proto__')).toBe('__proto__');
  });

  test('may stand for the only one that is there', () => {
    const one = upstream({ models: ['llama'], modelMap: { '*': 'llama' } });
    expect(askedModel(one, 'claude-opus')).toBe('llama');
  });
});
