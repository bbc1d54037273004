import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './support/repository.ts';

/** The built `holdfast` in a home and a project of their own. */
async function place(): Promise<{
  readonly home: string;
  readonly project: string;
  readonly holdfast: (
    ...args: readonly string[]
  ) => Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-agents-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  await mkdir(home);
  await mkdir(project);
  return {
    home,
    project,
    holdfast: async (...args) => {
      const bin = join(root, 'packages', 'gateway', 'bin', 'holdfast.js');
      const env = {
        PATH: process.env['PATH'],
        HOME: home,
        USERPROFILE: home,
        HOLDFAST_STATE_DIR: join(home, 'state'),
      };
      const child = spawn(process.execPath, [bin, ...args], { cwd: project, env, timeout: 60_000 });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout, stderr };
    },
  };
}

test.each([
  ['claude-code', join('.claude', 'settings.json')],
  ['gemini', join('.gemini', 'settings.json')],
  ['opencode', join('.opencode', 'plugins', 'holdfast.js')],
])(
  '%s is built into a project, works there, and is taken out',
  async (agent, file) => {
    const { home, project, holdfast } = await place();
    expect(await holdfast('install', agent, '--project')).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(join(project, file), 'utf8')).toContain(agent);
    // A hook that is given no time by a busy machine gives up, for the sake of the agent: it is asked again.
    let told = await holdfast('doctor', agent, '--project', '--json');
    for (let again = 0; told.code !== 0 && again < 2; again++)
      told = await holdfast('doctor', agent, '--project', '--json');
    expect(told.code, told.stdout).toBe(0);
    const { ok, checks } = JSON.parse(told.stdout) as {
      readonly ok: boolean;
      readonly checks: readonly { readonly text: string }[];
    };
    expect(ok).toBe(true);
    // What the model would read.
    expect(checks.at(-1)?.text).toContain('failed 2 times');

    expect((await holdfast('uninstall', agent, '--project')).code).toBe(0);
    expect(await readdir(project, { recursive: true })).toEqual([]);
    expect(await readdir(home)).toEqual(['state']);
  },
  60_000,
);

test('many installs at once change the settings once', async () => {
  const { home, holdfast } = await place();
  const original = '{ "theme" : "dark" }';
  await mkdir(join(home, '.gemini'));
  await writeFile(join(home, '.gemini', 'settings.json'), original);

  const runs = await Promise.all(Array.from({ length: 5 }, () => holdfast('install', 'gemini')));
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect((await readdir(join(home, '.gemini'))).sort()).toEqual([
    'settings.json',
    'settings.json.holdfast-backup',
  ]);
  await holdfast('uninstall', 'gemini');
  expect((await holdfast('doctor', 'gemini')).code).toBe(1);
  expect(await readFile(join(home, '.gemini', 'settings.json'), 'utf8')).toBe(original);
}, 60_000);
