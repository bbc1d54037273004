import { describe, expect, test } from 'vitest';
import { AdviceSigner } from './advice-signer.ts';

const TEXT = '⚠️ Tool guidance: pay failed 2 times in a row.\nTake a step back.';

describe('signed advice', () => {
  const signer = new AdviceSigner('a key');
  const line = signer.sign(TEXT, 'toolu_1');

  test('is recognized with the same key, whatever separates text and signature', () => {
    expect(line).toMatch(/^\[holdfast signature [\w-]{22}\]$/);
    const again = new AdviceSigner('a key');
    for (const between of ['\n', '\n\n'])
      expect(again.isSigned(TEXT + between + line, 'toolu_1')).toBe(true);
  });

  test('is worth nothing on another call, with another text or another key', () => {
    const whole = `${TEXT}\n${line}`;
    expect(signer.isSigned(whole, 'toolu_2')).toBe(false);
    expect(signer.isSigned(whole, '')).toBe(false);
    expect(signer.isSigned(whole.replace('2', '3'), 'toolu_1')).toBe(false);
    expect(signer.isSigned(`${whole}\nmore`, 'toolu_1')).toBe(false);
    expect(signer.isSigned(TEXT, 'toolu_1')).toBe(false);
    expect(new AdviceSigner('another').isSigned(whole, 'toolu_1')).toBe(false);
  });
});
