import { describe, expect, test } from 'vitest';
import { parseJson } from './json/parse-json.ts';

describe('a long text', () => {
  test.each([
    ['space behind a value', '[]', ' \n', '}'],
    ['space behind a string', '""', ' ', 'x'],
    ['strings behind values, inside a list that cannot be read', '[:,', '"{},"', ''],
    ['values between words, inside a list that cannot be read', '[:', ' x {}', ''],
    ['objects that nothing closes', '', 'P: {{},"{:', ''],
  ])('of %s is read in time', (_, before, unit, behind) => {
    const text = before + unit.repeat(100_000 / unit.length) + behind;
    const started = performance.now();
    expect(parseJson(text)).toHaveProperty('ok');
    expect(parseJson(text, { expect: 'call' })).toHaveProperty('ok');
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
