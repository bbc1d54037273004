import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readLastLines } from './read-last-lines.ts';

describe('the end of a transcript', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-lines-'));
  const path = join(folder, 'session.jsonl');

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const read = (text: string): ReturnType<typeof readLastLines> => {
    writeFileSync(path, text);
    return readLastLines(path);
  };

  test('is the objects on its lines, in their order', () => {
    expect(read('{"a":1}\n{"b":"ü"}\n')).toEqual([{ a: 1 }, { b: 'ü' }]);
  });

  test('leaves out lines that are cut, empty, or no objects', () => {
    expect(read('{"a":1}\n\n[1]\n"x"\nnull\n{"b":\n{"c":3}\n{"d":')).toEqual([{ a: 1 }, { c: 3 }]);
  });

  test('is nothing of an empty file', () => {
    expect(read('')).toEqual([]);
  });

  test('does not reach further back than 256 KB', () => {
    const line = `{"text":"${'x'.repeat(1000)}"}\n`;
    const found = read(`{"first":true}\n${line.repeat(300)}`);

    expect(found!.length).toBeGreaterThan(250);
    expect(found!.length).toBeLessThan(260);
    expect(found!.every(({ text }) => typeof text === 'string')).toBe(true);
  });

  test('finds what follows a line that is longer than that', () => {
    expect(read(`{"text":"${'x'.repeat(300_000)}"}\n{"last":true}\n`)).toEqual([{ last: true }]);
    expect(read(`{"text":"${'x'.repeat(300_000)}"}\n`)).toEqual([]);
  });

  test('is undefined where there is no file', () => {
    expect(readLastLines('')).toBeUndefined();
    expect(readLastLines(join(folder, 'missing.jsonl'))).toBeUndefined();
    expect(readLastLines(folder)).toBeUndefined();
  });

  test.skipIf(process.platform === 'win32')('follows no link and waits for no pipe', () => {
    writeFileSync(path, '{"a":1}\n');
    symlinkSync(path, join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);

    expect(readLastLines(join(folder, 'link'))).toBeUndefined();
    expect(readLastLines(join(folder, 'pipe'))).toBeUndefined();
  });
});
