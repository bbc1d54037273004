import { expect, test } from 'vitest';
import { linkTo, readRoute, VIEWS } from './read-route.ts';

test.each(['', '#', '#/', '#/nothing', '#main'])('%j is the overview', (hash) => {
  expect(readRoute(hash)).toEqual({ view: 'overview', item: undefined });
});

test.each(['mcp:a/b', '100 %', '#?&', 'Größe', '%E0%A4%A'])(
  'the address of %j leads to it',
  (item) => {
    for (const view of VIEWS) {
      expect(readRoute(linkTo(view, item))).toEqual({ view, item });
      expect(readRoute(linkTo(view))).toEqual({ view, item: undefined });
    }
  },
);

test('what cannot be decoded is taken as it is', () => {
  expect(readRoute('#/circuits/%E0%A4%A').item).toBe('%E0%A4%A');
});
