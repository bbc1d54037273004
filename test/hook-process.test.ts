import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from './support/repository.ts';
import type { Finished } from './support/run-node.ts';

const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');

/** All at once on a machine of two cores, in `npm run test:full`. */
const MANY = process.env['HOLDFAST_FULL'] === '1' ? 200 : 40;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-hook-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Runs the built `holdfast hook` as an agent does. Without `stdin` it is left open. */
async function runHook(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: string | undefined,
  priority?: number,
): Promise<Finished> {
  const child = spawn(process.execPath, [bin, 'hook', ...args], { env, timeout: 60_000 });
  if (child.pid !== undefined && priority !== undefined) setPriority(child.pid, priority);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  if (stdin !== undefined) child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** What Claude Code tells of a command that failed. */
function failure(id: number | string, command = `cat ${id}.txt`): string {
  return JSON.stringify({
    session_id: 'session',
    hook_event_name: 'PostToolUseFailure',
    tool_name: 'Bash',
    tool_use_id: `toolu_${id}`,
    tool_input: { command },
    error: 'Exit code 1\ncat: no.txt: No such file or directory',
    is_interrupt: false,
  });
}

/** What Gemini CLI tells of one. */
const AFTER_TOOL = JSON.stringify({
  session_id: 'session',
  hook_event_name: 'AfterTool',
  tool_name: 'run_shell_command',
  tool_input: { command: 'cat no.txt' },
  tool_response: { llmContent: 'Output: cat: no.txt: No such file or directory\nExit Code: 1' },
});

/** A number that no user of this system has. */
const NOBODY_KNOWN = 54_321;

/** Runs the hook with its state on a disk of its own, full or as the options say, and tells which files it left. */
const ON_A_DISK = `
  mount -t tmpfs tmpfs "$1" && mkdir -m 700 "$1/hooks" && mount -o "remount,$2" "$1" || exit 9
  dd if=/dev/zero of="$1/filled" bs=512 2>/dev/null
  "$3" "$4" hook gemini || exit 8
  echo; printf 'left: '
  find "$1" -type f ! -name filled`;

/** Whether a process may be another user, and have disks that nobody else sees. Not everybody lets it. */
const canUnshare = ['-rm mount -t tmpfs tmpfs /mnt', `--map-user=${NOBODY_KNOWN} true`].every(
  (args) => spawnSync('unshare', args.split(' ')).status === 0,
);

const BATCH = JSON.stringify({
  session_id: 'session',
  hook_event_name: 'PostToolBatch',
  tool_calls: [],
});

interface Kept {
  readonly seen: readonly string[];
  readonly advisor: { readonly consecutive: Readonly<Record<string, number>> };
}

const SILENT = { code: 0, stdout: '', stderr: '' };

// The built program, in processes of its own.
describe('the hook process', { timeout: 120_000 }, () => {
  it('remembers from one process to the next, and speaks once', async () => {
    const env = { HOLDFAST_STATE_DIR: temporaryFolder() };

    expect(await runHook(['claude-code'], env, failure(1, 'cat no.txt'))).toEqual(SILENT);
    expect(await runHook(['claude-code'], env, failure(2, 'cat no.txt'))).toEqual(SILENT);
    const { code, stdout, stderr } = await runHook(['claude-code'], env, BATCH);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        hookEventName: 'PostToolBatch',
        additionalContext: expect.stringContaining('The same Bash call failed 2 times') as string,
      },
    });
    expect(await runHook(['claude-code'], env, BATCH)).toEqual(SILENT);
  });

  it('loads two files, and nothing of Node that takes long', async () => {
    const folder = temporaryFolder();
    const list = join(folder, 'list.cjs');
    writeFileSync(
      list,
      `process.on('exit', () => {
        const files = Object.keys(require.cache).map((file) => require('node:path').basename(file));
        const builtIn = process.moduleLoadList.map((name) => name.split(' ')[1]);
        const slow = builtIn.filter((name) => /^(?:net|tty|stream|crypto|fs\\/promises)$/.test(name));
        require('node:fs').writeSync(2, JSON.stringify({ files, slow }));
      });`,
    );
    const event = { event: 'tool_execute_after', session: 's', tool: 'x', args: {}, output: 'a' };
    const env = { HOLDFAST_STATE_DIR: folder, NODE_OPTIONS: `--require=${list}` };
    const { stderr } = await runHook(['agent-zero'], env, JSON.stringify(event));

    expect(JSON.parse(stderr)).toEqual({
      files: ['list.cjs', 'holdfast.js', 'hook-main.cjs', 'agent-zero-host.cjs'],
      slow: [],
    });
  });

  it('loses nothing where many run at the same time', async () => {
    const folder = temporaryFolder();
    const env = { HOLDFAST_STATE_DIR: folder };
    const ids = Array.from({ length: MANY }, (_, index) => index);

    // What else is tested at the same time has hooks too, and an agent that waits for them for seconds only.
    const low = constants.priority.PRIORITY_LOW;
    const ends = await Promise.all(
      ids.map((id) => runHook(['claude-code'], env, failure(id), low)),
    );
    // Whoever had to wait for too long left its event for this one.
    await runHook(['claude-code'], env, BATCH);

    expect(ends.filter(({ code, stderr }) => code !== 0 || stderr !== '')).toEqual([]);
    const [name = '', ...others] = readdirSync(join(folder, 'hooks'));
    expect(others).toEqual([]);
    const kept = JSON.parse(readFileSync(join(folder, 'hooks', name), 'utf8')) as Kept;
    expect([...kept.seen].sort()).toEqual(ids.map((id) => `toolu_${id}`).sort());
    expect(kept.advisor.consecutive).toEqual({ Bash: MANY });
  });

  it('does not wait for the end of its input once it has the whole object', async () => {
    const child = spawn(process.execPath, [bin, 'hook', 'gemini'], {
      env: { HOLDFAST_STATE_DIR: temporaryFolder(), HOLDFAST_DEBUG: '1' },
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    child.stdin.write('{"hook_event_name":');
    child.stdin.write('{}}\n');

    expect(await once(child, 'close')).toEqual([0, null]);
    expect(stderr).toBe('');
  });

  it('ends with what lets the call go on where nobody ends its input', async () => {
    const env = { HOLDFAST_STATE_DIR: temporaryFolder() };
    const from = performance.now();

    expect(await runHook(['gemini'], env, undefined)).toEqual({ ...SILENT, stdout: '{}' });
    expect(performance.now() - from).toBeGreaterThan(1900);
  });

  it.each([
    ['its folder is a file', { HOLDFAST_STATE_DIR: bin }],
    ['its folder cannot be made', { HOLDFAST_STATE_DIR: '/dev/full/state' }],
    ['the home is not there', { HOME: join(bin, 'home') }],
  ])('ends well where %s', async (_, env) => {
    expect(await runHook(['gemini'], env, 'nonsense')).toEqual({ ...SILENT, stdout: '{}' });
    expect(await runHook(['claude-code'], env, failure(1))).toEqual(SILENT);
    const { stderr } = await runHook(['claude-code'], { ...env, HOLDFAST_DEBUG: '1' }, failure(2));
    expect(stderr).toMatch(/: hook claude-code: Error: E\w+: /);
  });

  it.skipIf(!canUnshare)('ends well where the user has no home at all', () => {
    const args = [`--map-user=${NOBODY_KNOWN}`, process.execPath, bin, 'hook', 'gemini'];
    const env = { HOLDFAST_DEBUG: '1', PATH: process.env['PATH'] };
    const ended = spawnSync('unshare', args, { input: AFTER_TOOL, encoding: 'utf8', env });

    expect(ended).toMatchObject({ status: 0, stdout: '{}' });
    expect(ended.stderr).toContain('uv_os_homedir');
  });

  it.skipIf(!canUnshare).each([
    ['the disk is full', 'size=16k', 'ENOSPC'],
    ['the disk cannot be written', 'ro', 'EROFS'],
  ])('ends well where %s, and leaves nothing behind', (_, options, code) => {
    const folder = temporaryFolder();
    const args = ['-rm', 'sh', '-c', ON_A_DISK, 'sh', folder, options, process.execPath, bin];
    const env = { HOLDFAST_DEBUG: '1', HOLDFAST_STATE_DIR: folder, PATH: process.env['PATH'] };
    const ended = spawnSync('unshare', args, { input: AFTER_TOOL, encoding: 'utf8', env });

    expect(ended).toMatchObject({ status: 0, stdout: '{}\nleft: ' });
    expect(ended.stderr).toContain(`hook gemini: Error: ${code}: `);
  });

  it('never ends with what an agent takes for a veto', async () => {
    expect(await runHook(['nobody'], {}, '')).toMatchObject({ code: 1, stdout: '' });
    expect(await runHook([], {}, '')).toMatchObject({ code: 1, stdout: '' });
    expect(await runHook(['--help'], {}, '')).toMatchObject({ code: 0, stderr: '' });
  });
});
