import { expect, test } from 'vitest';
import { maskingLogger } from './masking-logger.ts';
import { memoryLogger } from './memory-logger.case.ts';

test('the keys of a request are in no message and no field, of children either', () => {
  const inner = memoryLogger();
  const log = maskingLogger(inner, ['client-key-1', 'x']);

  log.warn({ why: new Error('bad key client-key-1') }, 'refused client-key-1');
  log.child({ key: 'client-key-1' }).info({ list: ['client-key-1'] }, 'x');

  expect(JSON.stringify(inner.entries)).not.toContain('client-key-1');
  expect(inner.entries[0]).toMatchObject({ message: 'refused ***' });
  expect(inner.entries[1]).toMatchObject({ message: 'x', fields: { key: '***', list: ['***'] } });
});

test('without keys the logger is the same', () => {
  const inner = memoryLogger();

  expect(maskingLogger(inner, ['short'])).toBe(inner);
});
