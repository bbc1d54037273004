import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkGrowth } from './loop/check-growth.ts';
import { fitInto, readInputs, writeInputs } from './loop/corpus-file.ts';
import { EdgeMap } from './loop/edge-map.ts';
import { keyOf, messageOf } from './loop/finding.ts';
import type { Finding } from './loop/finding.ts';
import { FuzzLoop } from './loop/fuzz-loop.ts';
import type { FuzzReport } from './loop/fuzz-loop.ts';
import type { FuzzInput } from './loop/fuzz-input.ts';
import type { FuzzTarget } from './loop/fuzz-target.ts';
import { WatchDog } from './loop/watch-dog.ts';
import { describeSources, recordReport } from './record-report.ts';
import { repository } from './targets/corpus-texts.ts';
import { loadTargets } from './targets/targets.ts';

// Run by run.mjs, with the sources compiled so that they count their branches.

/** All targets together stay below a megabyte. */
const MOST_KEPT_BYTES = 14_000;

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string' },
    executions: { type: 'string' },
    seed: { type: 'string', default: '1' },
    blind: { type: 'boolean', default: false },
    continue: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    replay: { type: 'string' },
    list: { type: 'boolean', default: false },
    cache: { type: 'string', default: join(repository, '.cache', 'fuzz') },
    limit: { type: 'string', default: '10' },
    skip: { type: 'string', default: '0' },
  },
});
const cache = values.cache;

const corpusFile = (target: string): string =>
  join(repository, 'fuzz', 'corpus', target, 'inputs.jsonl');
const workFile = (target: string): string => join(cache, 'corpus', `${target}.jsonl`);

function begin({ name }: FuzzTarget): FuzzInput[] {
  return [...readInputs(corpusFile(name)), ...(values.continue ? readInputs(workFile(name)) : [])];
}

async function fuzz(targets: readonly FuzzTarget[]): Promise<void> {
  const skipped = Number(values.skip);
  const seconds = Number(values.seconds ?? (values.executions === undefined ? 60 : Infinity));
  const executions = Math.ceil(Number(values.executions ?? Infinity) / targets.length);
  mkdirSync(cache, { recursive: true });
  const commit = values.record ? describeSources() : '';
  const watchDog = new WatchDog(join(cache, 'hanging.json'), Number(values.limit) * 1000);
  let findings = 0;
  for (const [index, target] of targets.entries()) {
    if (index < skipped) continue;
    // For whoever started us, should we not come back.
    writeFileSync(join(cache, 'running.json'), JSON.stringify({ index, target: target.name }));
    const loop = new FuzzLoop(target, {
      seed: Number(values.seed) + index,
      begin: begin(target),
      executions,
      until: performance.now() + (seconds * 1000) / targets.length,
      isGuided: !values.blind,
      watchDog,
    });
    const report = await loop.run();
    console.log(lineOf(report));
    report.findings.forEach(tell);
    findings += report.findings.length;
    keep(report);
    if (values.record) recordReport(report, commit, Number(values.seed));
  }
  await watchDog.stop();
  process.exitCode = findings === 0 ? 0 : 1;
}

function keep({ target, corpus }: FuzzReport): void {
  const inputs = corpus.map(({ input }) => input);
  writeInputs(workFile(target), inputs);
  if (values.keep) writeInputs(corpusFile(target), fitInto(inputs, MOST_KEPT_BYTES));
}

function lineOf(report: FuzzReport): string {
  const { target, executions, seconds, edges, ownEdges, ownBranches, corpus, findings } = report;
  const counts = Object.entries(report.counts).map(([name, count]) => `, ${name}: ${count}`);
  return (
    `${target.padEnd(28)} ${String(executions).padStart(9)} executions in ${seconds.toFixed(1)} s, ` +
    `${edges} branches (${ownEdges} of ${ownBranches} of its own), ${corpus.length} inputs, ` +
    `${findings.length} findings${counts.join('')}`
  );
}

function tell(finding: Finding, index: number): void {
  const folder = join(cache, 'findings');
  const file = join(folder, `${finding.target}-${index + 1}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(finding, undefined, 2)}\n`);
  console.log(`\n!! ${finding.message}\n   text: ${JSON.stringify(finding.input.text)}`);
  console.log(`   choice: ${finding.input.choice}; npm run fuzz -- --replay ${file}\n`);
}

type Found = Pick<Finding, 'target' | 'input'>;

/** Runs the input of a finding again, or those of all finds of a record. */
async function replay(file: string): Promise<void> {
  const read = JSON.parse(readFileSync(file, 'utf8')) as Found | { finds: readonly Found[] };
  for (const found of 'finds' in read ? read.finds : [read]) {
    const [target] = await loadTargets([found.target]);
    const problem = target && (await problemWith(target, found.input));
    console.log(`${found.target}: ${problem ?? 'nothing is wrong with it'}`);
    if (problem !== undefined) process.exitCode = 1;
  }
}

async function problemWith(target: FuzzTarget, input: FuzzInput): Promise<string | undefined> {
  try {
    await target.run(input);
    checkGrowth(target, input, new EdgeMap());
    return undefined;
  } catch (error) {
    return `${keyOf(error)}\n${messageOf(error)}`;
  }
}

if (values.replay !== undefined && existsSync(values.replay)) await replay(values.replay);
else {
  const targets = await loadTargets(values.target);
  if (values.list) for (const { name } of targets) console.log(name);
  else await fuzz(targets);
}
