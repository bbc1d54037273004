import { execFile } from 'node:child_process';

/** Longer than it takes; it must not hold up whoever asks. */
const PATIENCE_MS = 10_000;

/** The version of the `claude` on the PATH, as `2.1.325`; undefined where there is none that says. */
export function claudeCodeVersion(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = { env: { ...env }, timeout: PATIENCE_MS };
    execFile('claude', ['--version'], options, (error, stdout) => {
      const found = error === null ? /^(\d+\.\d+\.\d+)\b/.exec(stdout) : null;
      resolve(found?.[1]);
    });
  });
}
