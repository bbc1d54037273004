import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ShownNames } from './shown-names.ts';
import type { NamingOptions, ServerNames } from './shown-names.ts';

function naming(listed: readonly ServerNames[], options: Partial<NamingOptions> = {}): ShownNames {
  return new ShownNames(listed, {
    prefix: 'auto',
    separator: '__',
    servers: listed.length,
    ...options,
  });
}

function shown(listed: readonly ServerNames[], options: Partial<NamingOptions> = {}): string[] {
  return naming(listed, options).list.map((thing) => thing.shown);
}

const TWO: readonly ServerNames[] = [
  { server: 'github', names: ['search', 'open'] },
  { server: 'files', names: ['read', 'open'] },
];

describe('names that clients see', () => {
  test('one server keeps its names, whatever they are', () => {
    const odd = 'a.b/c '.repeat(20);
    expect(shown([{ server: 'a', names: ['echo', odd] }])).toEqual(['echo', odd]);
  });

  test('of several servers they begin with the server, in the order of the servers', () => {
    expect(shown(TWO)).toEqual(['github__search', 'github__open', 'files__read', 'files__open']);
  });

  test('a server that has not told its names yet counts as one of several', () => {
    const listed = [{ server: 'a', names: ['x'] }];
    expect(shown(listed, { servers: 2 })).toEqual(['a__x']);
  });

  test('always prefixes one server too, with the separator that is set', () => {
    const listed = [{ server: 'a', names: ['x'] }];
    expect(shown(listed, { prefix: 'always', separator: '-' })).toEqual(['a-x']);
  });

  test('never prefixes only what two servers have', () => {
    const names = naming(TWO, { prefix: 'never' });
    expect(names.list.map((thing) => thing.shown)).toEqual([
      'search',
      'github__open',
      'read',
      'files__open',
    ]);
    expect(names.find('open')).toBeUndefined();
    expect(names.notes).toEqual([
      '"open" would be several things of github and files; each is renamed',
    ]);
  });

  test('a name leads back to the server and its own name', () => {
    const names = naming(TWO);
    expect(names.find('files__open')).toMatchObject({ server: 'files', name: 'open' });
    expect(names.shownName('files', 'open')).toBe('files__open');
    expect(names.shownName('files', 'search')).toBeUndefined();
    expect(names.find('__proto__')).toBeUndefined();
  });

  test('what a server lists twice is shown once', () => {
    const names = naming([{ server: 'a', names: ['x', 'y', 'x'] }]);
    expect(names.list.map((thing) => thing.shown)).toEqual(['x', 'y']);
    expect(names.notes).toEqual(['a lists "x" twice; the first one is shown']);
  });

  test('long names are cut to 64 characters with a hash that tells them apart', () => {
    const long = 'x'.repeat(80);
    const [first = '', second = ''] = shown([
      { server: 'a', names: [`${long}1`, `${long}2`] },
      { server: 'b', names: [] },
    ]);
    expect(first).toMatch(/^a__x{52}_[\da-f]{8}$/);
    expect(first).toHaveLength(64);
    expect(second).not.toBe(first);
  });

  test('characters that models are not given become _', () => {
    const listed = [
      { server: 'a', names: ['x.y', 'größe', '💡'] },
      { server: 'b', names: [] },
    ];
    expect(shown(listed)).toEqual(['a__x_y', 'a__gr__e', 'a___']);
  });

  test('two things that would get one name both get a longer one', () => {
    const names = naming([
      { server: 'a', names: ['b__c', 'x.y', 'x_y'] },
      { server: 'a__b', names: ['c'] },
    ]);
    const list = names.list.map((thing) => thing.shown);
    expect(new Set(list).size).toBe(4);
    for (const name of list) expect(name).toMatch(/^a__(?:b__c|x_y)_[\da-f]{8}$/);
    expect(names.find('a__b__c')).toBeUndefined();
  });

  const word = fc.oneof(
    fc.constantFrom('a', 'b', 'a__b', 'b__c', 'c', 'a.b', 'a_b', 'x'.repeat(70)),
    fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
  );
  const lists = fc.uniqueArray(
    fc.record({ server: fc.stringMatching(/^[\w-]{1,12}$/), names: fc.array(word) }),
    { maxLength: 5, selector: ({ server }) => server },
  );
  const prefix = fc.constantFrom('auto' as const, 'always' as const, 'never' as const);

  test('no two things ever have one name, and each name leads back', () => {
    fc.assert(
      fc.property(lists, prefix, (listed, mode) => {
        const names = naming(listed, { prefix: mode });
        const all = names.list.map((thing) => thing.shown);
        expect(new Set(all).size).toBe(all.length);
        for (const { server, name, shown: known } of names.list) {
          expect(names.find(known)).toMatchObject({ server, name });
          expect(names.shownName(server, name)).toBe(known);
          const isPrefixed = mode === 'always' || (mode === 'auto' && listed.length > 1);
          if (isPrefixed) expect(known).toMatch(/^[\w-]{1,64}$/);
        }
        const distinct = listed.reduce((sum, { names: own }) => sum + new Set(own).size, 0);
        expect(all).toHaveLength(distinct);
      }),
    );
  });

  test('names do not depend on the order in which lists are given', () => {
    fc.assert(
      fc.property(lists, prefix, (listed, mode) => {
        const names = naming(listed, { prefix: mode });
        const turned = naming([...listed].reverse(), { prefix: mode });
        for (const { server, name, shown: known } of names.list) {
          expect(turned.shownName(server, name)).toBe(known);
        }
      }),
    );
  });
});
