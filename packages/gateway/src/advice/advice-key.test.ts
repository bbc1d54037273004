import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { openAdviceKey } from './advice-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shared = (secret: (name: string, first: string) => Promise<string>) => ({ secret });

describe('the key of signed advice', () => {
  test('is that of the configuration, else that of the store, else one that is kept', async () => {
    const log = memoryLogger();
    const file = join(folder, 'new', 'advice-key');
    const store = shared(async (name) => `${name} of the store`);
    expect(await openAdviceKey({ adviceKey: 'mine' }, { shared: store, file, log })).toBe('mine');
    expect(await openAdviceKey({}, { shared: store, file, log })).toBe('advice-key of the store');
    const made = await openAdviceKey({}, { file, log });
    expect(made).toMatch(/^[\da-f]{64}$/);
    expect(await openAdviceKey({}, { file, log })).toBe(made);
    expect(readFileSync(file, 'utf8')).toBe(made);
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'new')).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(log.entries).toEqual([]);
  });

  test('is kept on this machine while the store is away, which is logged', async () => {
    const log = memoryLogger();
    const file = join(folder, 'away');
    const away = shared(() => Promise.reject(new Error('no Redis')));
    const key = await openAdviceKey({}, { shared: away, file, log });
    expect(await openAdviceKey({}, { file, log })).toBe(key);
    expect(log.entries.map(({ message }) => message)).toEqual([
      expect.stringContaining('the store does not share the key'),
    ]);
  });

  test('is not read from a file that we did not write', async () => {
    const wrong = join(folder, 'wrong');
    writeFileSync(wrong, 'no key');
    const link = join(folder, 'link');
    symlinkSync(join(folder, 'new', 'advice-key'), link);
    for (const file of [wrong, link, join(folder, 'wrong', 'below')]) {
      const log = memoryLogger();
      const key = await openAdviceKey({}, { file, log });
      expect(await openAdviceKey({}, { file, log })).not.toBe(key);
      expect(log.entries).toHaveLength(2);
    }
    expect(readFileSync(wrong, 'utf8')).toBe('no key');
  });
});
