import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './run-command.mjs';

/** Programs that tests run beside us: what each is called, and the Debian package it comes from. */
export const PARTS = {
  redis: { command: 'redis-server', package: 'redis-server' },
  chromium: { command: 'chromium', package: 'chromium' },
  prometheus: { command: 'prometheus', package: 'prometheus' },
  zsh: { command: 'zsh', package: 'zsh' },
  fish: { command: 'fish', package: 'fish' },
};

const UPDATE_MS = 120_000;
const INSTALL_MS = 300_000;

/** Whether a program is on the path. */
export function isOnPath(command) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/**
 * Installs what of these parts is missing, where that can be done: by apt, as root. What is still missing then
 * is named in `output`; the tests that need it are left out, and fail on CI.
 */
export async function ensureParts(names) {
  const startedAt = performance.now();
  const missing = () => names.map((name) => PARTS[name]).filter((part) => !isOnPath(part.command));
  const packages = missing().map((part) => part.package);
  const reason = packages.length === 0 ? undefined : await install(packages);
  const lacking = missing().map((part) => part.command);
  return {
    ok: lacking.length === 0,
    output: lacking.length === 0 ? '' : `${lacking.join(', ')} cannot be run: ${reason}`,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Why it could not be done; undefined where it could. */
async function install(packages) {
  if (!existsSync('/usr/bin/apt-get')) return 'not installed, and there is no apt-get here';
  if (process.getuid?.() !== 0) return 'not installed, and only root can run apt-get';
  const update = await apt(['update'], UPDATE_MS);
  if (!update.ok) return `apt-get update failed\n${update.output.trimEnd()}`;
  const result = await apt(['install', '-y', '--no-install-recommends', ...packages], INSTALL_MS);
  return result.ok
    ? 'the packages do not bring it'
    : `apt-get install failed\n${result.output.trimEnd()}`;
}

const apt = (args, timeoutMs) =>
  runQuietly('/usr/bin/apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=60', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
    timeoutMs,
  });

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ok, output } = await ensureParts(process.argv.slice(2));
  if (!ok) console.error(output);
  process.exitCode = ok ? 0 : 1;
}
