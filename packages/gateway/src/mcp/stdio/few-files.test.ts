import { execFile } from 'node:child_process';
import { platform } from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

interface Told {
  readonly before: object;
  readonly after: object;
  readonly errors: readonly string[];
  readonly withoutSupervisor: string;
  readonly isThere: boolean;
}

/** Runs `few-files-host.case.ts` with 256 files at most: the host takes all of them, and loading its modules needs many at once. */
async function runWithFewFiles(): Promise<Told> {
  const host = new URL('few-files-host.case.ts', import.meta.url).pathname;
  const node = [process.execPath, '--import', import.meta.resolve('tsx')];
  const args = [...node, '--conditions=@holdfast/source', host];
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 256; exec "$@"',
    'sh',
    ...args,
  ]);
  return JSON.parse(stdout) as Told;
}

// Only Linux tells what a process has open.
describe.skipIf(platform !== 'linux')('a child for which there are no files left', () => {
  test('is not started, leaves nothing behind, and can be started later', async () => {
    const { before, after, errors, withoutSupervisor, isThere } = await runWithFewFiles();
    const reason = expect.stringContaining(
      'short of processes, files or memory (EMFILE)',
    ) as string;
    expect(errors).toEqual([reason]);
    expect(after).toEqual(before);
    expect(withoutSupervisor).toEqual(reason);
    expect(isThere).toBe(true);
  }, 30_000);
});
