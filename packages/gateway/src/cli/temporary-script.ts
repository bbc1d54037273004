/** The folders that `npx`, `pnpm dlx`, `yarn dlx` and `bunx` run things from, and empty again. */
const RUNNER_FOLDER = /[\\/](?:_npx|dlx(?:-[^\\/]*)?|xfs-[^\\/]*|bunx-[^\\/]*)[\\/]/;

/** Whether our script will be gone some day, and with it every hook that runs it. */
export function isTemporaryScript(script: string): boolean {
  return RUNNER_FOLDER.test(script);
}
