import { scoreOf, scoreOfRest } from './score.mjs';

/** What a person is told at the end. */
export function tellResult({ files, total, unexplained, stale }) {
  const lines = files.map((one) => `${one.file}: ${tellCounts(one)}`);
  for (const { file, at, line, mutation, isCovered } of unexplained) {
    lines.push('', `${file}:${at} ${isCovered ? 'survived' : 'runs in no test'}`);
    lines.push(`  ${line}`, `  ${mutation}`);
  }
  for (const { file, line, mutation } of stale) {
    lines.push('', `${file}: explained, but it does not survive`, `  ${line}`, `  ${mutation}`);
  }
  lines.push('', `all: ${tellCounts(total)}`);
  return lines.join('\n');
}

function tellCounts(counts) {
  const { killed, timeout, survived, noCoverage, failed, explained } = counts;
  const all = `${killed} killed, ${timeout} timed out, ${survived} survived, ${noCoverage} in no test`;
  const failures = failed === 0 ? '' : `, ${failed} could not be tried`;
  const score = `${scoreOf(counts)} %, ${scoreOfRest(counts)} % without the explained`;
  return `${all}${failures}, ${explained} of them explained: ${score}`;
}
