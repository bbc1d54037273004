import { fileURLToPath } from 'node:url';
import { installRuntime, runtimes } from './runtimes.mjs';

/** Installs every other runtime, unless that was done. */
async function installRuntimes() {
  const installed = [];
  for (const runtime of runtimes) {
    const { ok, output, program } = await installRuntime(runtime);
    if (!ok) return { ok, reason: output };
    installed.push({ name: runtime.name, program, args: runtime.args });
  }
  return { ok: true, runtimes: installed };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(JSON.stringify(await installRuntimes()));
}
