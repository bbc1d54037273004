import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './repository.ts';

/**
 * A copy of the tree as it is now, changes that are not committed with it, in a folder of its own. What is
 * installed is linked, but for our own packages: those are the copy's.
 */
export function cloneTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-clone-'));
  for (const path of filesOfTree()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
  linkModules(folder);
  return folder;
}

function filesOfTree(): readonly string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ls-files: ${stderr}`);
  return stdout.split('\0').filter((path) => path !== '' && existsSync(join(root, path)));
}

function linkModules(folder: string): void {
  const from = join(root, 'node_modules');
  const to = join(folder, 'node_modules');
  mkdirSync(join(to, '@holdfast'), { recursive: true });
  for (const name of readdirSync(from)) {
    if (name !== '@holdfast' && name !== 'holdfast') symlinkSync(join(from, name), join(to, name));
  }
  symlinkSync(join(folder, 'packages', 'gateway'), join(to, 'holdfast'));
  for (const name of ['core', 'dashboard']) {
    symlinkSync(join(folder, 'packages', name), join(to, '@holdfast', name));
  }
  // Packages of the workspace may have some of their own.
  for (const name of readdirSync(join(root, 'packages'))) {
    const own = join(root, 'packages', name, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(folder, 'packages', name, 'node_modules'));
  }
}
