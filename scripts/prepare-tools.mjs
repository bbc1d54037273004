import { build } from './build.mjs';
import { ensureInstall } from './ensure-install.mjs';
import { installLocked } from './install-locked.mjs';

/**
 * Makes a clone ready for a program of ours that measures or tries things: the workspace, built where that is what is
 * run, and the tools of a folder with a lockfile of its own. What was done already is not done again.
 */
export async function prepareTools({ folder, builds = false }) {
  const steps = [
    ['the workspace could not be installed', ensureInstall],
    ...(builds ? [['the workspace could not be built', build]] : []),
    ...(folder === undefined
      ? []
      : [[`the tools in ${folder} could not be installed`, () => installLocked(folder)]]),
  ];
  for (const [failure, step] of steps) {
    const { ok, output } = await step();
    if (!ok) throw new Error(`${failure}:\n${output}`);
  }
}
