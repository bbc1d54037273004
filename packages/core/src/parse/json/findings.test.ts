import { describe, expect, test } from 'vitest';
import { Findings } from './findings.ts';

describe('findings', () => {
  test('name each repair once, and nothing at first', () => {
    const findings = new Findings();
    expect(findings).toMatchObject({ repairs: [], lossy: false, failure: '', tooDeep: false });
    findings.note('comment');
    findings.note('tuple');
    findings.note('comment');
    expect(findings).toMatchObject({ repairs: ['comment', 'tuple'], lossy: false, failure: '' });
  });

  test('say that something is lost', () => {
    const findings = new Findings();
    findings.noteLoss('ellipsis');
    expect(findings).toMatchObject({ repairs: ['ellipsis'], lossy: true });
  });

  test('say what failed, and where', () => {
    const findings = new Findings();
    findings.fail('no value', 7);
    expect(findings).toMatchObject({ failure: 'no value', failedAt: 7 });
  });

  test('fail at a repair behind an end marker, but for a line break in a string', () => {
    for (const crossedAt of [0, 5]) {
      const findings = new Findings();
      findings.crossedAt = crossedAt;
      findings.note('raw-control-character');
      expect(findings.failure).toBe('');
      findings.note('missing-quote');
      expect(findings.failure).toBe('a string holds the end marker');
    }
  });
});
