import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PluginKind, commonTokens, declareClassPlugin, tokens } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';
import { ModuleGraph } from './module-graph.mjs';
import { runTest } from './run-test.mjs';
import { collectTests } from './test-api.mjs';

/** The least time a test has before it takes too long, and how many times longer than without a mutant it may take. */
const leastLimitMs = 5000;
const limitFactor = 10;

const state = (globalThis.__stryker__ ??= {});

/** Runs the tests of core in the process of the runner: those that cover a mutant, the quickest first. */
class InProcessRunner {
  static inject = tokens(commonTokens.options);

  #patterns;
  #graph = new ModuleGraph(process.cwd());
  #suites = new Map();
  // Written by the dry run; a runner that was started anew reads them.
  #timingsFile = join(process.cwd(), 'timings.json');
  #timings = {};

  constructor(options) {
    this.#patterns = options.inProcess;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    await this.#graph.load(resolve('test/support/property-runs.ts'));
    // That a law is broken is all we ask: no time is spent on the smallest counterexample.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
    if (existsSync(this.#timingsFile)) {
      this.#timings = JSON.parse(readFileSync(this.#timingsFile, 'utf8'));
    }
  }

  async dryRun() {
    const files = this.#testFiles();
    for (const file of files) await this.#load(file);
    const tests = [];
    for (const test of files.flatMap((file) => this.#suites.get(file))) {
      state.currentTestId = test.id;
      const result = await timed(test);
      state.currentTestId = undefined;
      this.#timings[test.id] = result.timeSpentMs;
      tests.push(result);
    }
    writeFileSync(this.#timingsFile, JSON.stringify(this.#timings));
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
      // It counts how often the mutant was met, and ends what would not end.
      if (hitLimit !== undefined && state.hitCount > hitLimit) {
        return { result: { status: MutantRunStatus.Timeout, reason: 'met too often' } };
      }
      if (failure !== undefined) return { result: killed(test.id, failure), killer: test };
    }
    return undefined;
  }

  #failureOf(test) {
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
      this.#suites.set(file, named);
    }
    return this.#suites.get(file);
  }

  #testFiles() {
    return globSync(this.#patterns).sort();
  }

  /** The test beside the mutant first, then all that load what it is in. */
  #filesFor(mutated) {
    const importers = this.#graph.importersOf(mutated);
    const beside = mutated.replace(/\.ts$/, '.test.ts');
    const files = this.#testFiles();
    const reaching = files.filter((file) => importers.has(pathToFileURL(resolve(file)).href));
    const rank = (file) => (resolve(file) === beside ? -1 : this.#fileTiming(file));
    // One that was started anew knows no imports yet.
    return (reaching.length > 0 ? reaching : files).sort((one, other) => rank(one) - rank(other));
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
