/** What a script can tell from the exit code. */
export const EXIT = Object.freeze({
  ok: 0,
  /** A fault of ours, or an output that cannot be written. */
  failed: 1,
  /** Wrong options, or input that cannot be read. */
  misuse: 2,
  /** `holdfast parse` found no call, or `holdfast doctor` got none. */
  noCalls: 3,
  /** `holdfast classify` found a failure. */
  toolFailed: 4,
  /** `holdfast doctor` could not ask the server. */
  noServer: 5,
});
