import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it.each([
    ['prase', 'parse'],
    ['pars', 'parse'],
    ['format', 'formats'],
    ['dmeo', 'demo'],
    ['parse', 'parse'],
  ])('takes %s for %s', (written, meant) => {
    expect(nearest(written, ['parse', 'formats', 'demo'])).toBe(meant);
  });

  it.each(['', 'x', 'help', 'completely-else'])('takes %j for none', (written) => {
    expect(nearest(written, ['parse', 'formats', 'demo'])).toBeUndefined();
  });
});
