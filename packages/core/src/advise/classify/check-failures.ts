/**
 * Lines by which test runners, linters, type checkers and compilers say that they worked and the code is
 * red. Numbers are looked at: `0 failed` is green.
 */
const REPORTS: readonly RegExp[] = [
  /^test result: FAILED/,
  /^FAIL(?:$|[\s:!])/,
  /^--- FAIL: /,
  /^FAILURES!$/,
  /^not ok \d/,
  /^# fail [1-9]/,
  /^Tests run: \d+, .{0,40}(?:Failures|Errors): [1-9]/,
  /^Tests: \d+, .{0,40}Failures: [1-9]/,
  /^Failed!\s+- Failed:\s+[1-9]/,
  /^There were failing tests/i,
  /^✖ \d+ problem/,
  /^Found [1-9]\d* (?:error|issue|problem|warning)/i,
  /^[1-9]\d* errors?(?:, \d+ warning.*)?(?: generated\.?)?$/,
  /^\S+\(\d+,\d+\): error TS\d+: /,
  /^\S+:\d+:\d+ - error TS\d+: /,
  /^error TS\d+: /,
  /^error\[E\d{4}\]: /,
  /^error: (?:could not compile|aborting due to)/,
  /^\S+:\d+:(?:\d+:)? (?:fatal )?error: (?!.*No such file)/,
  /^\S+:\d+:\d+: [A-Z]{1,4}\d{2,4} /,
  /^\s{0,4}\d+:\d+\s+error\s/,
  /^ELIFECYCLE\s.*test/i,
  /would be reformatted/,
  /^\[warn\] Code style issues/i,
  /^Code style issues found/i,
  /^\S.{0,60} (?:validation|check|checks|lint|linting|hook) failed\b/i,
  /code is not formatted/i,
  /^Your code has been rated at (?!10\.00\/)[\d.-]{1,6}\/10/,
  /^== Compilation error in file /,
  /^\*\* \(Mix\) .{0,40}(?:check-formatted|warnings)/,
  /^pre-commit .{0,40}(?:failed|exited)/i,
  /^husky - .{0,40}(?:failed|exited)/i,
  /^mix format failed/,
];

const FAILED: ReadonlySet<string> = new Set(
  'failed failing failure failures error errors exceptions'.split(' '),
);
const OTHERS: ReadonlySet<string> = new Set(
  'passed passing tests test examples example specs total skipped assertions todo pending ok suites scenarios doctests doctest'.split(
    ' ',
  ),
);

/** What unittest and pytest write around their counts: `FAILED (errors=1)`, `=== 1 error in 0.2s ===`. */
const FRAMED = /^(?:FAILED \((?:failures|errors)=\d|={3,80} [1-9]\d{0,5} errors? in [\d.]{1,9}s)/;

/** How lines that count begin. Others quote such a line. */
const SUMMARY =
  /^[^\w'"`/]{0,40}(?:\d|tests?\b|test (?:files|suites|result)\b|failed\b|passed\b|ran\b|finished\b|results?\b|total\b|summary\b)/i;

/** Whether a line counts failed tests: `2 failed, 10 passed in 1.0s`, `31 tests, 1 failure`. */
export function countsFailures(line: string): boolean {
  const text = line.slice(0, 200);
  if (FRAMED.test(text)) return true;
  let failed = 0;
  let others = 0;
  for (const [, number, word] of text.matchAll(/(?<![\w.])(\d{1,6}) (?:tests? )?([a-z]+)\b/g)) {
    if (FAILED.has(word ?? '')) failed += Number(number);
    else if (OTHERS.has(word ?? '')) others++;
  }
  if (failed === 0) return false;
  return others > 0 ? SUMMARY.test(text) : /^\W{0,40}\d+ (?:tests? )?fail/.test(text);
}

/** Whether a line reports failed checks of code. */
export function isCheckReport(line: string): boolean {
  const text = line.slice(0, 300).trim();
  return countsFailures(text) || REPORTS.some((report) => report.test(text));
}
