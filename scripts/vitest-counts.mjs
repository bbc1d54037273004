import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run-command.mjs';

const folder = join('.cache', 'test');

/** Where one run of vitest leaves its counts. An old file must not count for a run that crashed. */
export function reportFile(name) {
  mkdirSync(join(root, folder), { recursive: true });
  const file = join(folder, `${name}.json`);
  rmSync(join(root, file), { force: true });
  return file;
}

/** A file that fails to load has no tests, and an unhandled error no test: each still counts. */
export function readCounts(file, exitedWell) {
  let report;
  try {
    report = JSON.parse(readFileSync(join(root, file), 'utf8'));
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const brokenFiles = report.testResults.filter(
    (suite) =>
      suite.status === 'failed' && !suite.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !exitedWell ? 1 : failed,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  };
}

/** What was left out, by the names of suites and tests, which say why. */
export function readLeftOut(file) {
  if (!existsSync(join(root, file))) return [];
  const { testResults } = JSON.parse(readFileSync(join(root, file), 'utf8'));
  const skipped = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'skipped' || status === 'pending');
  return skipped.map(({ fullName }) => fullName);
}

export function formatCounts({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`;
  return skipped === 0 ? line : `${line}, ${skipped} skipped`;
}
