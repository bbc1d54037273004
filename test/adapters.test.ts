import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './support/repository.ts';

/** A set of SDKs, installed apart from the workspace, with the Node that they need. */
interface Peers {
  readonly ok: boolean;
  readonly node: string;
  readonly folder: string;
  /** Why not. */
  readonly reason?: string;
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const isFull = process.env['HOLDFAST_FULL'] === '1';

const SDKS = ['ai', 'openai', 'langchain', '@ai-sdk', '@anthropic-ai', '@langchain'];
const TYPES = ['ai-sdk', 'openai', 'anthropic', 'langchain', 'langchain-agent'];

/** Whole conversations in every dialect, cut everywhere: with older SDKs only where there is time. */
const LONG = ['ai-sdk', 'openai', 'anthropic', 'langchain', 'truncated'];
const short = isFull ? [] : LONG.map((name) => `**/adapters/${name}.test.ts`);

/**
 * Of the oldest there is only the AI SDK, which had a specification of its own then. Agents that take
 * middleware came with LangChain 1.
 */
const SETS = [
  { set: 'newest', tests: 'test/adapters/', without: [], types: TYPES },
  {
    set: 'previous',
    tests: 'test/adapters/',
    without: ['**/langchain-agent.test.ts', ...short],
    types: TYPES.filter((name) => name !== 'langchain-agent'),
  },
  { set: 'oldest', tests: 'test/adapters/ai-sdk', without: short, types: ['ai-sdk'] },
];

const installed = new Map<string, Peers>();
for (const { set } of SETS) installed.set(set, await install(set));

describe.each(SETS)('the adapters, with the $set SDKs', ({ set, tests, without, types }) => {
  const peers = installed.get(set)!;
  // In full, answers are cut at every byte, for every client: eleven minutes on two cores that are busy.
  const timeout = isFull ? 3_600_000 : 300_000;
  if (!peers.ok && process.env['CI'] === 'true')
    throw new Error(`the SDKs could not be installed:\n${peers.reason ?? ''}`);

  it.skipIf(!peers.ok)('do what they promise', { timeout }, async ({ signal }) => {
    const folder = join(root, '.cache', 'adapters');
    const file = join(folder, `${set}.json`);
    mkdirSync(folder, { recursive: true });
    rmSync(file, { force: true });
    const args = [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--config', 'vitest.adapters.config.ts', tests],
      ...without.map((pattern) => `--exclude=${pattern}`),
      ...['--reporter=json', `--outputFile=${file}`],
    ];
    const output = await run(peers, args, signal);

    expect(failuresIn(file, output)).toEqual([]);
  });

  it.skipIf(!peers.ok)('have types that fit', { timeout }, async ({ signal }) => {
    const config = writeProject(peers.folder, types);
    const output = await run(peers, ['node_modules/typescript/bin/tsc', '-p', config], signal);
    const lines = output.split(/\r?\n/).filter((line) => line !== '');
    const read = lines.filter((line) => isIn(root, line));

    expect(lines.filter((line) => !read.includes(line))).toEqual([]);
    expect(read.filter((file) => isIn(join(peers.folder, 'node_modules'), file))).not.toEqual([]);
    // An SDK that is missing in the set would be found in the workspace, and fit.
    const own = SDKS.map((name) => join(root, 'node_modules', name));
    expect(read.filter((file) => own.some((folder) => isIn(folder, file)))).toEqual([]);
  });
});

/** Whether the compiler names a file in a folder; it writes slashes everywhere. */
const isIn = (folder: string, line: string): boolean =>
  line.startsWith(`${resolve(folder).replaceAll(sep, '/')}/`);

async function install(set: string): Promise<Peers> {
  const child = spawn(process.execPath, ['scripts/install-peers.mjs', set], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return JSON.parse(output) as Peers;
}

/** Runs a program with the Node of the SDKs, as if nothing were being tested here. Returns what it printed. */
async function run(
  { node, folder }: Peers,
  args: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = { ...Object.fromEntries(inherited), HOLDFAST_PEERS: folder, NO_COLOR: '1' };
  // When the time is up it must not go on beside the tests that follow, and make them late too.
  const child = spawn(node, [...args], { cwd: root, env, signal });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return output;
}

function failuresIn(file: string, output: string): readonly string[] {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return [output];
  }
  const failures = report.testResults.flatMap(({ name, message, status, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === 'failed');
    if (failed.length === 0 && status === 'failed') return [`${name}: ${message}`];
    return failed.map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join()}`);
  });
  return report.numPassedTests === 0 ? [...failures, 'no test has run'] : failures;
}

/**
 * What the types of the SDKs are held against: programs that use them with the adapters, as users do. They are
 * copied to where the SDKs are installed, so that the compiler finds these as it does for a user; what it is told
 * with `paths` of a package's folder, it ignores in ES modules. Returns the project's file.
 */
function writeProject(folder: string, types: readonly string[]): string {
  const programs = join(folder, 'types');
  const config = join(programs, 'tsconfig.json');
  rmSync(programs, { recursive: true, force: true });
  mkdirSync(programs);
  for (const name of types)
    copyFileSync(
      join(root, 'test', 'adapters', 'types', `${name}.ts`),
      join(programs, `${name}.ts`),
    );
  const compilerOptions = { types: [], listFiles: true };
  const files = types.map((name) => `${name}.ts`);
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files };
  writeFileSync(config, JSON.stringify(project));
  return config;
}
