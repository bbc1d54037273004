import { readFileSync } from 'node:fs';

const explanations = new URL('explained.json', import.meta.url);

/** How many mutants of each file came to what, which survived unexplained, and which explanations explain nothing. */
export function readResult(reports) {
  const explained = JSON.parse(readFileSync(explanations, 'utf8'));
  const files = [];
  const survivors = [];
  for (const { files: names, report } of reports) {
    for (const name of names) {
      const { mutants, source } = report.files[name] ?? { mutants: [], source: '' };
      if (mutants.length === 0) continue;
      const lines = source.split('\n');
      const own = mutants.filter(isAlive).map((mutant) => survivorOf(name, mutant, lines));
      for (const one of own) one.reason = reasonOf(one, explained);
      survivors.push(...own);
      files.push({ file: name, ...countsOf(mutants), explained: own.filter(hasReason).length });
    }
  }
  const asked = new Set(reports.flatMap((one) => one.files));
  return {
    files,
    total: totalOf(files),
    explained: survivors.filter(hasReason),
    unexplained: survivors.filter((one) => !hasReason(one)),
    stale: explained.flatMap((one) => (asked.has(one.file) ? staleOf(one, survivors) : [])),
  };
}

const isAlive = ({ status }) => status === 'Survived' || status === 'NoCoverage';
const hasReason = ({ reason }) => reason !== undefined;

function countsOf(mutants) {
  const count = (status) => mutants.filter((mutant) => mutant.status === status).length;
  return {
    killed: count('Killed'),
    timeout: count('Timeout'),
    survived: count('Survived'),
    noCoverage: count('NoCoverage'),
    failed: count('RuntimeError') + count('Pending'),
  };
}

function totalOf(files) {
  const total = { killed: 0, timeout: 0, survived: 0, noCoverage: 0, failed: 0, explained: 0 };
  for (const file of files) for (const key of Object.keys(total)) total[key] += file[key];
  return total;
}

/** A mutant by what can be read in the source, so that it stays the same when lines above it come or go. */
function survivorOf(file, { location, replacement, status }, lines) {
  const { start, end } = location;
  const from = lines.slice(start.line - 1, end.line);
  from[from.length - 1] = from.at(-1).slice(0, end.column - 1);
  from[0] = from[0].slice(start.column - 1);
  const mutation = `${oneLine(from.join(' '))} → ${oneLine(replacement)}`;
  const line = lines[start.line - 1].trim();
  return { file, at: start.line, line, mutation, isCovered: status === 'Survived' };
}

function oneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

const explains = (one, survivor) => one.file === survivor.file && one.line === survivor.line;

function reasonOf(survivor, explained) {
  const found = explained.find(
    (one) => explains(one, survivor) && one.mutations.includes(survivor.mutation),
  );
  return found?.reason;
}

function staleOf(one, survivors) {
  const own = survivors.filter((survivor) => explains(one, survivor));
  return one.mutations
    .filter((mutation) => !own.some((survivor) => survivor.mutation === mutation))
    .map((mutation) => ({ file: one.file, line: one.line, mutation }));
}
