/**
 * Sorts names of extensions: by the number in `_20_name`, then by name. By number, so that `_100_` comes
 * after `_20_`; sorted as text it would come first. Names without a number come last.
 */
export function compareHookNames(a: string, b: string): number {
  return compare(placeOf(a), placeOf(b)) || compare(a, b);
}

function placeOf(name: string): number {
  const digits = /^_(\d+)_/.exec(name)?.[1];
  // Numbers too long to tell apart are still below this only if they are finite.
  return digits === undefined ? Infinity : Math.min(Number(digits), Number.MAX_VALUE);
}

/** By code units: the order must not depend on the language of the machine. */
function compare<T extends number | string>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
