import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { InstallContext } from '../install/agent-installer.ts';
import { CannotInstallError } from '../install/agent-installer.ts';
import { carryOut } from '../install/carry-out.case.ts';
import { openCodeInstaller } from './opencode-installer.ts';

function contextIn(change: Partial<InstallContext> = {}): InstallContext {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-opencode-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return {
    scope: 'user',
    project: join(folder, 'project'),
    home: join(folder, 'home'),
    env: {},
    root: '/a0',
    node: process.execPath,
    script: import.meta.filename,
    veto: false,
    ...change,
  };
}

const userFile = ({ home }: InstallContext): string =>
  join(home, '.config', 'opencode', 'plugins', 'holdfast.js');

describe('where the plugin goes', () => {
  test.each([
    ['the folder of the user', {}, ['home', '.config', 'opencode']],
    ['that of XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/xdg' }, ['/xdg', 'opencode']],
    [
      'that of OPENCODE_CONFIG_DIR',
      { OPENCODE_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/x' },
      ['/own'],
    ],
    ['not what is set to nothing', { XDG_CONFIG_HOME: '' }, ['home', '.config', 'opencode']],
  ])('%s', async (_, env, [first = '', ...rest]) => {
    const context = contextIn({ env });
    const { edits } = await openCodeInstaller.install(context);

    const base = first === 'home' ? context.home : first;
    expect(edits.map(({ path }) => path)).toEqual([join(base, ...rest, 'plugins', 'holdfast.js')]);
  });

  test('the folder of the project', async () => {
    const context = contextIn({ scope: 'project' });
    const { edits, notes } = await openCodeInstaller.install(context);

    expect(edits[0]?.path).toBe(join(context.project, '.opencode', 'plugins', 'holdfast.js'));
    expect(notes.join()).toContain('on this machine');
  });
});

describe('installing', () => {
  test('makes a file once, and says that opencode has to be started again', async () => {
    const context = contextIn();
    const plan = await openCodeInstaller.install(context);
    carryOut(plan);

    expect(plan.edits).toMatchObject([{ before: undefined }]);
    expect(plan.notes.join()).toContain('Restart opencode');
    expect(await openCodeInstaller.install(context)).toEqual({ edits: [], notes: [] });
  });

  test.each([
    ['another Node', { node: '/other/node' }],
    ['another place of ours', { script: '/other/holdfast.js' }],
    ['the wish to stop calls', { veto: true }],
  ])('goes with %s', async (_, change) => {
    const context = contextIn();
    const first = await openCodeInstaller.install(context);
    carryOut(first);
    const { edits } = await openCodeInstaller.install({ ...context, ...change });

    expect(edits).toHaveLength(1);
    expect(edits[0]?.before).toBe(first.edits[0]?.after);
    expect(edits[0]?.after).not.toBe(edits[0]?.before);
  });

  test('does not touch a file of somebody else', async () => {
    const context = contextIn();
    mkdirSync(dirname(userFile(context)), { recursive: true });
    writeFileSync(userFile(context), 'export const Mine = async () => ({});\n');

    await expect(openCodeInstaller.install(context)).rejects.toThrow(CannotInstallError);
    const { edits, notes } = await openCodeInstaller.uninstall(context);
    expect(edits).toEqual([]);
    expect(notes.join()).toContain('was not written by Holdfast');
  });

  test('refuses what is no file', async () => {
    const context = contextIn();
    mkdirSync(userFile(context), { recursive: true });

    await expect(openCodeInstaller.install(context)).rejects.toThrow(CannotInstallError);
  });
});

describe('uninstalling', () => {
  test('removes the file, of whatever version, and nothing where there is none', async () => {
    const context = contextIn();
    carryOut(await openCodeInstaller.install(context));
    const before = '// Holdfast for opencode, version 0.\nexport {};\n';
    writeFileSync(userFile(context), before);
    const plan = await openCodeInstaller.uninstall(context);
    carryOut(plan);

    expect(plan.edits).toEqual([{ path: userFile(context), before, after: undefined }]);
    expect(await openCodeInstaller.uninstall(context)).toEqual({ edits: [], notes: [] });
  });
});

describe('the check', () => {
  test.each([
    ['nothing is installed', undefined, {}, ['problem']],
    ['the file is of somebody else', '// mine', {}, ['problem']],
    ['all is well', 'ours', {}, ['ok']],
    ['it stops calls', 'ours', { veto: true }, ['ok']],
    [
      'ours is elsewhere now, and was moved',
      'ours',
      { script: '/gone.js' },
      ['warning', 'problem'],
    ],
    ['Node was moved', 'ours', { node: '/gone' }, ['warning', 'problem']],
  ])('where %s', async (_, file, change, expected) => {
    const context = contextIn();
    if (file === 'ours') carryOut(await openCodeInstaller.install({ ...context, ...change }));
    else if (file !== undefined) {
      mkdirSync(dirname(userFile(context)), { recursive: true });
      writeFileSync(userFile(context), file);
    }

    const checks = await openCodeInstaller.check(context);
    expect(checks.map(({ status }) => status)).toEqual(expected);
  });

  test('sees that it is there for the user and for the project', async () => {
    const context = contextIn();
    carryOut(await openCodeInstaller.install(context));
    carryOut(await openCodeInstaller.install({ ...context, scope: 'project' }));

    const checks = await openCodeInstaller.check(context);
    expect(checks.map(({ status }) => status)).toEqual(['ok', 'warning']);
    expect(checks[1]?.text).toContain(join('.opencode', 'plugins'));
  });
});
