/** Whether a contestant does the work at all: one that throws has no time to compare. */
export function canRun({ run }) {
  try {
    return run() !== undefined;
  } catch {
    return false;
  }
}
