import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, runTool } from './run-command.mjs';

const coreDist = join(root, 'packages', 'core', 'dist');
const dist = join(root, 'packages', 'gateway', 'dist');

/** Compiles both packages, builds the dashboard, and joins what `holdfast hook` loads. */
export async function build(options) {
  const compiled = await runTool('tsc', ['-b', 'tsconfig.build.json'], options);
  if (!compiled.ok) return compiled;
  const start = performance.now();
  try {
    await joinHook();
    await buildDashboard();
  } catch (error) {
    return { ...compiled, ok: false, output: `bundling failed: ${error.stack}` };
  }
  return { ...compiled, seconds: compiled.seconds + (performance.now() - start) / 1000 };
}

/**
 * An agent waits for the hook at every call of a tool, and Node takes longer to find and link a hundred small
 * modules than the hook takes for all it does. Joined, they are a few; without comments they are
 * half as long to read, and as CommonJS Node need not start its loader of modules.
 */
async function joinHook() {
  // Not before the install.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(dist, 'cli', 'hook-main.js'),
    platform: 'node',
    // What reads YAML is far larger than the hook. It is loaded from where it is, when the file has changed.
    external: [/\/read-advisor-file\.js$/],
  });
  await bundle.write({
    dir: join(dist, 'hook'),
    cleanDir: true,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    minify: true,
  });
  await bundle.close();
}

/** Into `dist/dashboard/page`, which the gateway serves. */
async function buildDashboard() {
  const { build: bundle } = await import('vite');
  const configFile = join(root, 'packages', 'dashboard', 'vite.config.ts');
  await bundle({ configFile, logLevel: 'warn', clearScreen: false });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // What is published holds nothing of sources that are gone; see the scripts of the packages.
  if (process.argv.includes('--clean')) {
    for (const folder of [coreDist, dist]) rmSync(folder, { recursive: true, force: true });
  }
  const { ok, output } = await build();
  if (!ok) console.log(output);
  process.exitCode = ok ? 0 : 1;
}
