/** Whether `got` is what a vector expects; `{"$nonfinite": …}` stands for a number JSON cannot write. */
export function matches(expected: unknown, got: unknown): boolean {
  if (isObject(expected) && '$nonfinite' in expected)
    return got === null || (typeof got === 'number' && !Number.isFinite(got));
  if (Array.isArray(expected)) {
    if (!Array.isArray(got) || got.length !== expected.length) return false;
    return expected.every((item, at) => matches(item, got[at]));
  }
  if (!isObject(expected)) return expected === got;
  if (!isObject(got)) return false;
  const keys = Object.keys(expected);
  return (
    keys.length === Object.keys(got).length &&
    keys.every((key) => Object.hasOwn(got, key) && matches(expected[key], got[key]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
