import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { ModuleGraph } from './module-graph.mjs';
import { runTest } from './run-test.mjs';
import { collectTests } from './test-api.mjs';
import { WorkMeter } from './work-meter.mjs';

/** The least time a test has before it takes too long, and how many times longer than without a mutant it may take. */
const leastLimitMs = 5000;
const limitFactor = 10;
/** The same for the work of a test, as `WorkMeter` counts it. */
const leastWork = 1_000_000;

const state = (globalThis.__stryker__ ??= {});
const meter = new WorkMeter(state);

/** Runs the tests of core in the process of the runner: those that cover a mutant, the quickest first. */
class InProcessRunner {
  static inject = tokens(commonTokens.options);

  /** Files of tests, and what the names of those have in common that are asked. */
  #wanted;
  #graph = new ModuleGraph(process.cwd());
  #suites = new Map();
  // What the dry run found out; a runner that is started later reads it.
  #memory = join(process.cwd(), 'dry-run.json');
  #timings = {};
  #work = {};

  constructor(options) {
    this.#wanted = options.inProcess.map((one) => {
      const [files, names = ''] = one.split('#');
      return { files, names };
    });
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await this.#graph.load(resolve('test/support/property-runs.ts'));
    // That a law is broken is all we ask: no time is spent on the smallest counterexample.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
    if (!existsSync(this.#memory)) return;
    const { timings, work, importers } = JSON.parse(readFileSync(this.#memory, 'utf8'));
    this.#timings = timings;
    this.#work = work;
    this.#graph.importers = importers;
  }

  async dryRun() {
    const files = this.#testFiles();
    for (const file of files) await this.#load(file);
    const tests = [];
    for (const test of files.flatMap((file) => this.#suites.get(file))) {
      state.currentTestId = test.id;
      meter.begin(Infinity);
      const result = await timed(test);
      this.#work[test.id] = meter.count;
      state.currentTestId = undefined;
      this.#timings[test.id] = result.timeSpentMs;
      tests.push(result);
    }
    const { importers } = this.#graph;
    writeFileSync(
      this.#memory,
      JSON.stringify({ timings: this.#timings, work: this.#work, importers }),
    );
    return { status: DryRunStatus.Complete, tests, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun(options) {
    const first = await this.#tryMutant(options);
    if (first.isClean) return first.result;
    // The test may have failed by what an earlier mutant left behind: asked again where nothing is left.
    this.#renew();
    const second = await this.#tryMutant(options);
    if (!second.isClean) this.#renew();
    return second.result;
  }

  /** Returns too whether the test that failed passes again without the mutant. */
  async #tryMutant(options) {
    const isStatic = options.mutantActivation === 'static';
    const { result, killer } = isStatic ? await this.#runAnew(options) : await this.#run(options);
    state.activeMutant = undefined;
    state.hitCount = undefined;
    meter.begin(Infinity);
    if (isStatic) this.#renew();
    const isClean =
      isStatic || killer === undefined || (await this.#failureOf(killer)) === undefined;
    return { result, isClean };
  }

  /** A mutant in what runs when it is called. */
  async #run({ testFilter, hitLimit, activeMutant }) {
    const files = testFilter && new Set(testFilter.map((id) => id.split('#')[0]));
    const tests = [];
    for (const file of files ?? this.#testFiles()) tests.push(...(await this.#load(file)));
    activate(activeMutant, hitLimit);
    return (await this.#firstFailure(tests, testFilter, hitLimit)) ?? survived(tests);
  }

  /** A mutant in what runs when it is loaded: file by file, as the first one will mostly notice. */
  async #runAnew({ testFilter, hitLimit, activeMutant, sandboxFileName }) {
    this.#renew();
    activate(activeMutant, hitLimit);
    for (const file of this.#filesFor(sandboxFileName)) {
      try {
        await this.#load(file);
      } catch (error) {
        return { result: killed(`${file}#as a whole`, error) };
      }
      const failure = await this.#firstFailure(this.#suites.get(file), testFilter, hitLimit);
      if (failure !== undefined) return failure;
    }
    return survived([...this.#suites.values()].flat());
  }

  async #firstFailure(candidates, testFilter, hitLimit) {
    const wanted = testFilter && new Set(testFilter);
    const tests = candidates.filter((test) => wanted === undefined || wanted.has(test.id));
    tests.sort((one, other) => this.#timing(one) - this.#timing(other));
    for (const test of tests) {
      const failure = await this.#failureOf(test);
      // Stryker counts how often the mutant was met, we how often any was.
      if (meter.isExceeded || (hitLimit !== undefined && state.hitCount > hitLimit)) {
        return { result: { status: MutantRunStatus.Timeout, reason: 'it does not end' } };
      }
      if (failure !== undefined) return { result: killed(test.id, failure), killer: test };
    }
    return undefined;
  }

  #failureOf(test) {
    meter.begin(Math.max(leastWork, (this.#work[test.id] ?? 0) * limitFactor));
    return runTest(test, Math.max(leastLimitMs, this.#timing(test) * limitFactor));
  }

  #renew() {
    this.#graph.renew();
    this.#suites.clear();
  }

  async #load(file) {
    if (!this.#suites.has(file)) {
      const tests = await collectTests(file, () => this.#graph.load(resolve(file)));
      const named = tests.map((test) => ({ ...test, id: `${file}#${test.name}` }));
      const wanted = this.#wanted.filter(({ files }) => matchesGlob(file, files));
      const isWanted = ({ name }) => wanted.some(({ names }) => name.includes(names));
      this.#suites.set(file, named.filter(isWanted));
    }
    return this.#suites.get(file);
  }

  #testFiles() {
    return [...new Set(globSync(this.#wanted.map(({ files }) => files)))].sort();
  }

  /** The test beside the mutant first, then all that load what it is in. */
  #filesFor(mutated) {
    const importers = this.#graph.importersOf(mutated);
    const beside = mutated.replace(/\.ts$/, '.test.ts');
    const isReaching = (file) => importers.has(pathToFileURL(resolve(file)).href);
    const rank = (file) => (resolve(file) === beside ? -1 : this.#fileTiming(file));
    return this.#testFiles()
      .filter(isReaching)
      .sort((one, other) => rank(one) - rank(other));
  }

  #timing(test) {
    return this.#timings[test.id] ?? 0;
  }

  #fileTiming(file) {
    const own = Object.entries(this.#timings).filter(([id]) => id.startsWith(`${file}#`));
    return own.reduce((sum, [, time]) => sum + time, 0);
  }
}

function activate(mutant, hitLimit) {
  state.activeMutant = mutant.id;
  state.hitCount = 0;
  state.hitLimit = hitLimit;
}

async function timed(test) {
  const start = performance.now();
  const failure = await runTest(test, Infinity);
  const timeSpentMs = performance.now() - start;
  const result = { id: test.id, name: test.name, fileName: resolve(test.file), timeSpentMs };
  if (failure === undefined) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: text(failure) };
}

const survived = (tests) => ({
  result: { status: MutantRunStatus.Survived, nrOfTests: tests.length },
});

const killed = (id, failure) => ({
  status: MutantRunStatus.Killed,
  killedBy: [id],
  failureMessage: text(failure),
  nrOfTests: 1,
});

const text = (error) => String(error?.stack ?? error).slice(0, 2000);

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner),
];
