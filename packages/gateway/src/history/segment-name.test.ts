import { describe, expect, test } from 'vitest';
import { formatSegmentName, readSegmentName } from './segment-name.ts';

describe('the name of a segment', () => {
  test('reads back as it was written', () => {
    const about = {
      kind: 'failures',
      firstAt: 1_767_225_600_000,
      writer: '0123456789ab',
      number: 7,
    } as const;

    expect(formatSegmentName(about)).toBe('failures-001767225600000-0123456789ab-000007.log');
    expect(readSegmentName(formatSegmentName(about))).toEqual(about);
    expect(readSegmentName(formatSegmentName({ ...about, number: 12_345_678 }))).toMatchObject({
      number: 12_345_678,
    });
  });

  test.each([
    'notes.txt',
    'prompts-001767225600000-0123456789ab-000007.log',
    'failures-1-0123456789ab-000007.log',
    'failures-001767225600000-0123456789ab-000007.log.bak',
    '../failures-001767225600000-0123456789ab-000007.log',
  ])('is not that of %s', (name) => {
    expect(readSegmentName(name)).toBeUndefined();
  });
});
