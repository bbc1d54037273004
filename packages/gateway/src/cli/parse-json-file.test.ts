import { describe, expect, it } from 'vitest';
import { parseJsonFile } from './parse-json-file.ts';

describe('parseJsonFile', () => {
  it('returns what the file holds', () => {
    expect(parseJsonFile('tools.json', '{"a": [1]}')).toEqual({ a: [1] });
  });

  it.each([
    ['[1,\n  ,2]', 'line 2, column 3'],
    ['xyz', 'line 1, column 1'],
    ['{"a": tru}', 'line 1, column 10'],
    ['{\n"a": 1\n"b": 2}', 'line 3, column 1'],
    ['{"a": 1}\n}', 'line 2, column 1'],
  ])('says where %j goes wrong', (text, place) => {
    expect(() => parseJsonFile('tools.json', text)).toThrow(/^tools\.json is not JSON: /);
    expect(() => parseJsonFile('tools.json', text)).toThrow(place);
  });

  it.each(['', '[1, 2', '{"a":'])('says that %j ends too early', (text) => {
    expect(() => parseJsonFile('tools.json', text)).toThrow(`at line 1, column ${text.length + 1}`);
  });
});
