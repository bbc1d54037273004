import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './repository.ts';

export interface ShellCommand {
  /** What it printed so far: all of it, or what it wrote to standard output. */
  readonly printed: (only?: 'stdout') => string;
  readonly ended: Promise<unknown>;
  /** Ends it and what it started. */
  end(): Promise<void>;
}

/** A shell in which `npx holdfast` and `npx tsx` are those of this repository, built before. */
export class TutorialShell {
  readonly #bin = mkdtempSync(join(tmpdir(), 'holdfast-bin-'));
  readonly #env: NodeJS.ProcessEnv;
  readonly #folder: string;

  constructor(
    folder: string,
    programs: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>>,
  ) {
    this.#folder = folder;
    const npx = execFileSync('sh', ['-c', 'command -v npx'], { encoding: 'utf8' }).trim();
    const script = [
      '#!/bin/sh',
      `[ "$1" = holdfast ] && shift && exec "${process.execPath}" "${join(root, 'packages/gateway/bin/holdfast.js')}" "$@"`,
      `[ "$1" = tsx ] && shift && exec "${process.execPath}" --import "${import.meta.resolve('tsx')}" "$@"`,
      `exec "${npx}" "$@"`,
    ];
    writeFileSync(join(this.#bin, 'npx'), `${script.join('\n')}\n`);
    chmodSync(join(this.#bin, 'npx'), 0o755);
    for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(this.#bin, name));
    const { FORCE_COLOR: _, PATH = '', ...inherited } = process.env;
    this.#env = { ...inherited, ...env, PATH: `${this.#bin}${delimiter}${PATH}` };
  }

  start(command: string): ShellCommand {
    // In a group of its own, so that what it starts can be ended with it.
    const child = spawn('sh', ['-c', command], {
      cwd: this.#folder,
      env: this.#env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let all = '';
    let stdout = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      all += chunk;
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (all += chunk));
    const ended = once(child, 'close');
    return {
      printed: (only) => (only === 'stdout' ? stdout : all),
      ended,
      end: async () => {
        if (child.exitCode === null) process.kill(-child.pid!);
        await ended;
      },
    };
  }

  close(): void {
    rmSync(this.#bin, { recursive: true });
  }
}
