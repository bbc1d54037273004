import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, root, runQuietly } from './run-command.mjs';

const PACKAGES = ['core', 'gateway'];

/** Packs both packages as they would be published, and installs them into an empty project; needs the build. */
export async function installPacked() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-packed-'));
  const packages = [];
  for (const name of PACKAGES) {
    const workspace = join(root, 'packages', name);
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, workspace];
    // On standard error npm tells what nobody asked for.
    const packed = await runQuietly(...npmCommand([...args, '--loglevel=silent']));
    if (!packed.ok) return { ok: false, reason: packed.output, folder };
    const [{ filename, files, size }] = JSON.parse(packed.output);
    const paths = files.map(({ path }) => path);
    packages.push({ name, tarball: join(folder, filename), files: paths, size });
  }
  const project = join(folder, 'project');
  mkdirSync(project);
  const manifest = { name: 'empty', private: true, type: 'module' };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  const flags = ['--prefix', project, '--ignore-scripts', '--prefer-offline', '--no-audit'];
  const tarballs = packages.map(({ tarball }) => tarball);
  const result = await runQuietly(
    ...npmCommand(['install', ...flags, '--no-fund', '--loglevel=error', ...tarballs]),
  );
  return { ok: result.ok, reason: result.output, folder, project, packages };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await installPacked()));
}
