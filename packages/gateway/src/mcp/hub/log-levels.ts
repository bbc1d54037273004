const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

export function isLogLevel(level: string): boolean {
  return LEVELS.includes(level);
}

/** Whether somebody who asked for `wanted` and worse wants to hear a message of this level. */
export function isWanted(level: unknown, wanted: string | undefined): boolean {
  if (wanted === undefined) return false;
  return typeof level !== 'string' || LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

/** The level at which nobody misses a message: the least severe that anybody asked for. */
export function lowestLevel(wanted: readonly (string | undefined)[]): string | undefined {
  return LEVELS.find((level) => wanted.includes(level));
}
