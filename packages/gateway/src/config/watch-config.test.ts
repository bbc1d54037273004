import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { memoryLogger } from '../log/memory-logger.case.ts';
import type { MemoryLogger } from '../log/memory-logger.case.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { loadConfig } from './load-config.ts';
import { watchConfig } from './watch-config.ts';
import type { ConfigWatch } from './watch-config.ts';

const yaml = (name: string): string =>
  `upstreams: [{ name: ${name}, url: http://127.0.0.1:1/v1 }]\n`;

/** For a machine that is busy. */
const PATIENCE = { timeout: 8_000 };

describe('a configuration that is watched', () => {
  let folder: string;
  let file: string;
  let log: MemoryLogger;
  let watched: ConfigWatch;
  let names: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-watch-'));
    file = join(folder, 'holdfast.yaml');
    writeFileSync(file, yaml('first'));
    log = memoryLogger();
    names = [];
    watched = watchConfig({
      file,
      text: yaml('first'),
      load: (text) => loadConfig(text, { file, env: {} }),
      onConfig: ({ upstreams }: GatewayConfig) => void names.push(upstreams[0]?.name ?? ''),
      log,
    });
  });

  afterEach(() => {
    watched.close();
    rmSync(folder, { recursive: true });
  });

  const messages = (): string[] => log.entries.map(({ message }) => message);

  test('is loaded again when it is written', async () => {
    writeFileSync(file, yaml('second'));
    await vi.waitFor(() => expect(names).toEqual(['second']), PATIENCE);
  });

  test('is loaded again when another file takes its place, as editors do it', async () => {
    for (const name of ['second', 'third']) {
      const next = join(folder, 'holdfast.yaml.tmp');
      writeFileSync(next, yaml(name));
      renameSync(next, file);
      await vi.waitFor(() => expect(names.at(-1)).toBe(name), PATIENCE);
    }
    expect(names).toEqual(['second', 'third']);
  });

  test('stays as it was when the file is wrong, and says where', async () => {
    writeFileSync(file, `${yaml('second')}tokn: x\n`);
    await vi.waitFor(() => expect(messages()).toHaveLength(2), PATIENCE);

    expect(log.entries).toEqual([
      {
        level: 'error',
        fields: { file, line: 2, path: 'tokn' },
        message: `${file}:2:1: tokn: unknown key; did you mean token?`,
      },
      { level: 'error', fields: { file }, message: 'the configuration stays as it was' },
    ]);
    writeFileSync(file, yaml('third'));
    await vi.waitFor(() => expect(names).toEqual(['third']), PATIENCE);
  });

  test('stays as it was when the file is gone', () => {
    rmSync(file);
    watched.reload();
    expect(names).toEqual([]);
    expect(messages()).toEqual([expect.stringContaining('the configuration stays as it was')]);
  });

  test('is loaded when that is asked for, changed or not', () => {
    watched.reload();
    expect(names).toEqual(['first']);
  });
});
