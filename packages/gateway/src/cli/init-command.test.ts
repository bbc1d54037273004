import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CONFIG_TEMPLATE } from '../config/config-template.ts';
import { memoryIo } from './memory-io.case.ts';
import { run } from './run.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-init-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('holdfast init', () => {
  test('writes a file, and says what to do with it', async () => {
    const file = join(folder, 'my.yaml');
    const io = memoryIo();
    expect(await run(['init', file], io)).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(CONFIG_TEMPLATE);
    expect(io.out()).toBe(`Wrote ${file}. Set the url in it, then: holdfast up --config ${file}\n`);
  });

  test('tells programs the name of the file', async () => {
    const file = join(folder, 'my.yaml');
    const io = memoryIo();
    expect(await run(['init', '--json', file], io)).toBe(0);
    expect(JSON.parse(io.out())).toEqual({ file });
  });

  test('overwrites a file only when it is forced to', async () => {
    const file = join(folder, 'my.yaml');
    writeFileSync(file, 'mine');
    const io = memoryIo();
    expect(await run(['init', file], io)).toBe(2);
    expect(io.err()).toBe(`holdfast: cannot write ${file}: it exists; --force overwrites it\n`);
    expect(readFileSync(file, 'utf8')).toBe('mine');

    expect(await run(['init', '--force', file], memoryIo())).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(CONFIG_TEMPLATE);
  });

  test('refuses two files, and a folder that is not there', async () => {
    const io = memoryIo();
    expect(await run(['init', 'a', 'b'], io)).toBe(2);
    expect(await run(['init', join(folder, 'none', 'a.yaml')], io)).toBe(2);
    expect(io.err()).toMatch(/^holdfast: expected one file, got 2: a b\nholdfast: cannot write /);
  });
});

describe('holdfast schema', () => {
  test('prints the JSON Schema of the file', async () => {
    const io = memoryIo();
    expect(await run(['schema'], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({
      title: 'holdfast.yaml',
      anyOf: [{ required: ['upstreams'] }, { required: ['mcp'] }],
      properties: { proxy: { properties: { eager: { default: false } } } },
    });
  });
});
