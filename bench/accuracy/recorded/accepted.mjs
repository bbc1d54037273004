/**
 * Whether calls are an answer that the benchmark accepts. `accepted` has one `{ tool: { parameter: [values] } }` for
 * each call, in any order; the value `''` means that the parameter may be missing.
 */
export function areAccepted(calls, accepted) {
  if (calls.length !== accepted.length) return false;
  const left = [...accepted];
  return calls.every((call) => {
    const at = left.findIndex((one) => isAccepted(call, one));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function isAccepted({ name, arguments: args }, accepted) {
  const [tool, parameters] = Object.entries(accepted)[0];
  if (name !== tool && name !== tool.replaceAll('.', '_')) return false;
  return hasOnly(args, parameters) && Object.entries(parameters).every(fits(args));
}

const hasOnly = (value, known) => Object.keys(value).every((key) => key in known);

const fits =
  (value) =>
  ([key, values]) =>
    key in value ? isOneOf(value[key], values) : values.includes('');

function isOneOf(value, values) {
  return values.some((wanted) => {
    if (typeof wanted === 'string') return typeof value === 'string' && isSpelled(value, wanted);
    if (Array.isArray(wanted)) return isList(value, wanted);
    if (typeof wanted === 'object' && wanted !== null) return isRecord(value, wanted);
    return value === wanted || (value === null && wanted === 'None');
  });
}

function isList(value, wanted) {
  if (!Array.isArray(value) || value.length !== wanted.length) return false;
  return wanted.every((one, at) => {
    const isChoice = Array.isArray(one) && !Array.isArray(value[at]);
    return isOneOf(value[at], isChoice ? one : [one]);
  });
}

function isRecord(value, wanted) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  if (!hasOnly(value, wanted)) return false;
  return Object.entries(wanted).every(([key, one]) =>
    key in value
      ? isOneOf(value[key], Array.isArray(one) ? one : [one])
      : Array.isArray(one) && one.includes(''),
  );
}

/** The benchmark does not look at case, spaces and punctuation. */
const isSpelled = (one, other) => plain(one) === plain(other);
const plain = (text) =>
  text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replace(/'/g, '"');
