import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

const TYPES = ['ai-sdk', 'openai', 'anthropic', 'langchain', 'langchain-agent'];

/**
 * Of the oldest there is only the AI SDK, which had a specification of its own then. Agents that take
 * middleware came with LangChain 1.
 */
const SETS = [
  { set: 'newest', tests: 'test/adapters/', without: [], types: TYPES },
  ...(isFull
    ? [
        {
          set: 'previous',
          tests: 'test/adapters/',
          without: ['**/langchain-agent.test.ts'],
          types: TYPES.filter((name) => name !== 'langchain-agent'),
        },
        { set: 'oldest', tests: 'test/adapters/ai-sdk', without: [], types: ['ai-sdk'] },
      ]
    : []),
];

const installed = new Map<string, Peers>();
for (const { set } of SETS) installed.set(set, await install(set));

describe.each(SETS)('the adapters, with the $set SDKs', ({ set, tests, without, types }) => {
  const peers = installed.get(set)!;
  const timeout = 300_000;
  if (!peers.ok && process.env['CI'] === 'true')
    throw new Error(`the SDKs could not be installed:\n${peers.reason ?? ''}`);

  it.skipIf(!peers.ok)('do what they promise', { timeout }, async () => {
    const folder = join(root, '.cache', 'adapters');
    const file = join(folder, `${set}.json`);
    mkdirSync(folder, { recursive: true });
    rmSync(file, { force: true });
    const output = await run(peers, [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--config', 'vitest.adapters.config.ts', tests],
      ...without.map((pattern) => `--exclude=${pattern}`),
      ...['--reporter=json', `--outputFile=${file}`],
    ]);

    expect(failuresIn(file, output)).toEqual([]);
  });

  it.skipIf(!peers.ok)('have types that fit', { timeout }, async () => {
    const config = join(peers.folder, 'tsconfig.json');
    writeFileSync(config, JSON.stringify(configOf(peers.folder, types)));

    expect(await run(peers, ['node_modules/typescript/bin/tsc', '-p', config])).toBe('');
  });
});

async function install(set: string): Promise<Peers> {
  const child = spawn(process.execPath, ['scripts/install-peers.mjs', set], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return JSON.parse(output) as Peers;
}

/** Runs a program with the Node of the SDKs, as if nothing were being tested here. Returns what it printed. */
async function run({ node, folder }: Peers, args: readonly string[]): Promise<string> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = { ...Object.fromEntries(inherited), HOLDFAST_PEERS: folder, NO_COLOR: '1' };
  const child = spawn(node, [...args], { cwd: root, env });
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

/** What the types of the SDKs are held against: programs that use them with the adapters, as users do. */
function configOf(folder: string, types: readonly string[]): object {
  const module = (name: string): string[] => [join(folder, 'node_modules', name)];
  return {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      types: [],
      paths: {
        ai: module('ai'),
        openai: module('openai'),
        'openai/*': module('openai/*'),
        '@ai-sdk/*': module('@ai-sdk/*'),
        '@anthropic-ai/sdk': module('@anthropic-ai/sdk'),
        '@anthropic-ai/sdk/*': module('@anthropic-ai/sdk/*'),
        langchain: module('langchain'),
        'langchain/*': module('langchain/*'),
        '@langchain/*': module('@langchain/*'),
      },
    },
    include: [],
    files: types.map((name) => join(root, 'test', 'adapters', 'types', `${name}.ts`)),
  };
}
