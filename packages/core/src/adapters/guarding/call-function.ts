/** A function of whose parameters nothing is known. */
export type AnyFunction = (...args: never[]) => unknown;

export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}

/** Calls it with what it was given elsewhere. */
export function callFunction(
  called: AnyFunction,
  owner: unknown,
  args: readonly unknown[],
): unknown {
  return Reflect.apply(called as (...all: unknown[]) => unknown, owner, args);
}
