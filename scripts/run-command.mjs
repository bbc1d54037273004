import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program with its output kept, so that only failures have to be shown; past `timeoutMs` it is ended. */
export function runQuietly(program, args, { env = {}, timeoutMs } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    let output = '';
    const keep = (chunk) => (output += chunk);
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    child.on('error', (error) => keep(`${program}: ${error.message}\n`));
    child.on('close', (code, signal) => {
      if (signal !== null) keep(`${program}: ended by ${signal}\n`);
      resolve({ ok: code === 0, output, seconds: (performance.now() - startedAt) / 1000 });
    });
  });
}

/** npm as this process was started with, or the one on the path. */
export function npmCommand(args) {
  const own = process.env.npm_execpath;
  // npm_execpath may also name another package manager, which would not know `npm ci`.
  return own?.endsWith('npm-cli.js') ? [process.execPath, [own, ...args]] : ['npm', args];
}

/** A tool of the installed tree, run by this Node. */
export const tools = {
  tsc: 'node_modules/typescript/bin/tsc',
  eslint: 'node_modules/eslint/bin/eslint.js',
  prettier: 'node_modules/prettier/bin/prettier.cjs',
  vitest: 'node_modules/vitest/vitest.mjs',
};

export const runTool = (tool, args, options) =>
  runQuietly(process.execPath, [tools[tool], ...args], options);
