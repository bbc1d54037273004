/** The share of mutants that the tests noticed, of all that there are, in percent. */
export function scoreOf({ killed, timeout, survived, noCoverage }) {
  return percent(killed + timeout, killed + timeout + survived + noCoverage);
}

/** The same, of all but those that nothing can notice. */
export function scoreOfRest({ killed, timeout, survived, noCoverage, explained }) {
  return percent(killed + timeout, killed + timeout + survived + noCoverage - explained);
}

const percent = (part, whole) => (whole === 0 ? 100 : Math.round((part / whole) * 10_000) / 100);
