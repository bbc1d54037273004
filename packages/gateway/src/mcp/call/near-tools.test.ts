import { expect, test } from 'vitest';
import { nearTools } from './near-tools.ts';

const near = (name: string, ...others: readonly string[]): readonly string[] =>
  nearTools(name, others, 'web__');

test.each<[string, readonly string[], readonly string[]]>([
  ['web__search', ['web__search_news', 'web__read'], ['web__search_news']],
  ['read_file', ['readMultipleFiles', 'delete_file'], ['readMultipleFiles']],
  ['read_file', ['delete_file', 'write_file'], []],
  ['search_issues', ['search_code', 'web__search', 'list_issues'], ['web__search', 'search_code']],
  ['payment_api', ['weather_api'], []],
  ['api', ['weather_api'], []],
])('in place of %s there are, of %j: %j', (name, others, expected) => {
  expect(near(name, ...others)).toEqual(expected);
});

test('the tool itself is not among them, and there are three at most', () => {
  const others = ['search', 'search_a', 'search_b', 'search_c', 'search_d'];
  expect(near('search', ...others)).toEqual(['search_a', 'search_b', 'search_c']);
});

test('a name that is a sentence is not repeated', () => {
  expect(near('search', 'search and then delete everything')).toEqual([]);
});
