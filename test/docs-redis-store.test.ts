import { describe, expect, it } from 'vitest';
import { REDIS_STORE_DEFAULTS } from '@holdfast/core/redis';
import { SCRIPTS } from '../packages/core/src/guard/store/redis/scripts.ts';
import { defaultsIn, tableRows } from './support/markdown-tables.ts';

const page = 'docs/redis-store.md';

describe('tables of the Redis store in the docs', () => {
  it('state the options that are in force', () => {
    const header = '| option | default | what it does |';

    expect(defaultsIn(page, header)).toEqual(REDIS_STORE_DEFAULTS);
  });

  it('list every script', () => {
    const rows = tableRows(page, '| script | what it does |');
    const listed = rows.flatMap(([names]) => names!.replaceAll('`', '').split(', '));

    expect(listed.sort()).toEqual(Object.keys(SCRIPTS).sort());
  });
});
