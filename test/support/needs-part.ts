import { spawnSync } from 'node:child_process';

/** Whether tests that need a program beside us can run. */
export interface Part {
  readonly isMissing: boolean;
  /** For the name of what is left out: why; nothing where the program is there. */
  readonly why: string;
}

/**
 * Looks for a program that `scripts/ensure-parts.mjs` installs where it can. Without it its tests are left out
 * and say why; on CI nothing may be left out, so there it is an error.
 */
export function needsPart(command: string): Part {
  const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' });
  if (error === undefined) return { isMissing: false, why: '' };
  const why = `${command} cannot be run: ${error.message}`;
  if (process.env['CI'] === 'true') throw new Error(why);
  return { isMissing: true, why: ` (${why})` };
}
