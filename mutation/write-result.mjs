import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scoreOf, scoreOfRest } from './score.mjs';

const folder = fileURLToPath(new URL('results/', import.meta.url));

/** Keeps a result by day; why mutants survive is in explained.json. Returns where. */
export function writeResult({ files, total, unexplained }) {
  const day = new Date().toISOString().slice(0, 10);
  const withScore = (counts) => ({ ...counts, score: scoreOf(counts), rest: scoreOfRest(counts) });
  const record = {
    day,
    total: withScore(total),
    files: files.map(withScore),
    unexplained: byPlace(unexplained),
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${day}.json`, `${JSON.stringify(record, undefined, 1)}\n`);
  writeFileSync(`${folder}${day}.md`, markdownOf(record));
  return `mutation/results/${day}.json`;
}

/** The mutations by file and line, each file and line once. */
function byPlace(survivors) {
  const places = {};
  for (const { file, line, mutation } of survivors) {
    const lines = (places[file] ??= {});
    (lines[line] ??= []).push(mutation);
  }
  return places;
}

function markdownOf({ day, total, files }) {
  const rows = files.map((one) => rowOf(one.file.replace('packages/core/src/', ''), one));
  return [
    `# Mutants, ${day}`,
    '',
    '| file | killed | timed out | survived | in no test | explained | score | without the explained |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    rowOf('**all**', total),
    '',
  ].join('\n');
}

function rowOf(name, { killed, timeout, survived, noCoverage, explained, score, rest }) {
  const cells = [name, killed, timeout, survived, noCoverage, explained];
  return `| ${cells.join(' | ')} | ${score} % | ${rest} % |`;
}
