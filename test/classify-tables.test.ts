import { FAILURE_TYPES } from '@holdfast/core/advise';
import { describe, expect, it } from 'vitest';
import { code, tableRows } from './support/markdown-tables.ts';

describe('docs/classify.md', () => {
  const rows = tableRows('docs/classify.md', '| type | parent | retryable | what it is |');

  it('lists every type in the order in which types are decided', () => {
    expect(rows.map(([type]) => code(type!))).toEqual(Object.keys(FAILURE_TYPES));
  });

  it.each(rows)('says of %s what its parent is, whether it may be retried and counts', (...row) => {
    const [type, parent, retryable, what] = row;
    expect({
      parent: parent === 'none' ? undefined : code(parent!),
      retryable: retryable === 'yes',
      isNeutral: what!.endsWith('neutral'),
    }).toEqual(FAILURE_TYPES[code(type!) as keyof typeof FAILURE_TYPES]);
  });
});
