import { installRuntime, runtimes } from '../../scripts/runtimes.mjs';

/** The newest Node that the tests run on too, for peers that want more than the oldest. */
export const newest = runtimes.filter(({ name }) => name.startsWith('node ')).at(-1);

/** Its program, fetched from npm where it is missing; undefined where this process runs on it. */
export async function newerNode() {
  if (Number(process.versions.node.split('.')[0]) >= Number(newest.version.split('.')[0])) return;
  const { ok, program, output } = await installRuntime(newest);
  if (!ok) throw new Error(`${newest.name} could not be installed:\n${output}`);
  return program;
}
