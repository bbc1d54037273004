/** What a script can tell from the exit code. */
export const EXIT = Object.freeze({
  ok: 0,
  /** A fault of ours, an output that cannot be written, or hooks that `holdfast doctor` found not to work. */
  failed: 1,
  /** Wrong options, or input that cannot be read. */
  misuse: 2,
  /** `holdfast parse` found no call, or `holdfast doctor` got none. */
  noCalls: 3,
  /** `holdfast classify` found a failure, or the tool of `holdfast call` failed. */
  toolFailed: 4,
  /** A server could not be asked, or is not there. */
  noServer: 5,
});
