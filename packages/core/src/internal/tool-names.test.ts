import { describe, expect, test } from 'vitest';
import { nearestNames, ToolNames } from './tool-names.ts';

const names = new ToolNames(['read_file', 'write_file', 'get-weather', 'a_b', 'ab']);

describe('ToolNames', () => {
  test.each([
    ['read_file', 'read_file'],
    ['ReadFile', 'read_file'],
    ['read-file', 'read_file'],
    ['functions.read_file', 'read_file'],
    ['mcp::write_file', 'write_file'],
    ['getWeather', 'get-weather'],
    ['read\\_file', 'read_file'],
  ])('takes %s for %s', (written, known) => {
    expect(names.resolve(written)).toBe(known);
  });

  test('takes no name that can mean two tools, or none', () => {
    expect(names.resolve('A-B')).toBe(undefined);
    expect(names.resolve('delete_file')).toBe(undefined);
  });

  test('explains an unknown name with the nearest ones, or with the list', () => {
    expect(names.explainUnknown('read_fil')).toBe(
      'there is no tool named "read_fil"; did you mean read_file?',
    );
    expect(names.explainUnknown('launch_rocket')).toMatch(
      'known tools: read_file, write_file, get-weather, a_b, ab',
    );
    expect(names.explainUnknown('read_file')).toBe(undefined);
    expect(new ToolNames([]).explainUnknown('x')).toMatch('known tools: none');
  });

  test('stays quick on names of any length', () => {
    expect(names.explainUnknown('x'.repeat(100_000))).toMatch('known tools');
  });
});

describe('nearestNames', () => {
  const known = ['file_path', 'glob', 'id', 'lineCount'];

  test.each([
    ['file_pth', ['file_path']],
    ['golb', ['glob']],
    ['path', ['file_path']],
    ['count', ['lineCount']],
    ['ID', ['id']],
    ['ix', []],
    ['colour', []],
  ])('of %s are %j', (written, near) => {
    expect(nearestNames(written, known)).toEqual(near);
  });
});
