export function timeoutMessage(elapsedMs: number, timeoutMs: number): string {
  return `Parse timeout exceeded: ${elapsedMs.toFixed(1)}ms > ${timeoutMs}ms`;
}
