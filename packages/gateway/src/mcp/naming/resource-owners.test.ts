import { describe, expect, test } from 'vitest';
import { ResourceOwners } from './resource-owners.ts';

const OWNERS = new ResourceOwners([
  {
    server: 'a',
    uris: ['file:///x', 'demo://1'],
    templates: ['demo://{id}', 'git://{+path}/log{?n}'],
  },
  { server: 'b', uris: ['demo://1', 'demo://2'], templates: ['demo://{id}', 'memo:///{id}'] },
]);

describe('who has a resource', () => {
  test.each([
    ['file:///x', 'a'],
    ['demo://2', 'b'],
    // Both list it.
    ['demo://1', 'a'],
    // Nobody lists these.
    ['demo://77', 'a'],
    ['git://a/b/log?n=3', 'a'],
    ['memo:///7', 'b'],
    ['other://1', undefined],
  ])('%s is of %s', (uri, expected) => {
    expect(OWNERS.ownerOf(uri)).toBe(expected);
  });

  test('templates have the first owner too, and what is hidden is told', () => {
    expect(OWNERS.ownerOfTemplate('demo://{id}')).toBe('a');
    expect(OWNERS.ownerOfTemplate('memo:///{id}')).toBe('b');
    expect(OWNERS.ownerOfTemplate('nothing://{id}')).toBeUndefined();
    expect(OWNERS.notes).toEqual([
      'a and b both have the resource demo://1; that of a is shown',
      'a and b both have the resource demo://{id}; that of a is shown',
    ]);
  });
});
