import { describe, expect, test } from 'vitest';
import { isShown } from './is-shown.ts';

describe('which tools are shown', () => {
  test.each([
    ['read_file', ['*'], [], true],
    ['read_file', ['read_*'], [], true],
    ['write_file', ['read_*'], [], false],
    ['write_file', ['*'], ['write_*'], false],
    ['write_file', ['write_file'], ['*'], false],
    ['read_file', [], [], false],
    // A point is a point.
    ['readXfile', ['read.file'], [], false],
  ])('%s by %j without %j: %s', (name, allow, deny, expected) => {
    expect(isShown(name, { allow, deny })).toBe(expected);
  });
});
