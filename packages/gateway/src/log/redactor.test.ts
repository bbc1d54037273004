import { expect, test } from 'vitest';
import { Redactor } from './redactor.ts';

test('secrets it was told of and secrets of a known shape are taken out', () => {
  const redactor = new Redactor(['my-own-secret', 'my-own-secret-2']);

  expect(redactor.text('a my-own-secret-2 b my-own-secret')).toBe('a *** b ***');
  expect(redactor.text('Authorization: Bearer abcdefghijkl')).not.toContain('abcdefghijkl');
});

test('short secrets and placeholders are left, as they are parts of words', () => {
  const redactor = new Redactor(['x', '', 'ollama', 'lm-studio']);

  expect(redactor.text('lm-studio/qwen on ollama, x')).toBe('lm-studio/qwen on ollama, x');
});

test('new secrets replace the old, and a copy can know more', () => {
  const redactor = new Redactor(['first-secret']);
  redactor.setSecrets(['second-secret']);

  expect(redactor.text('first-secret second-secret')).toBe('first-secret ***');
  expect(redactor.with(['third-secret']).text('second-secret third-secret')).toBe('*** ***');
  expect(redactor.text('third-secret')).toBe('third-secret');
});
