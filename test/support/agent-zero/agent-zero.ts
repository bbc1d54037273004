import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { root as repository } from '../repository.ts';

export type Layout = 'legacy' | 'current';

/** What agent-zero does with a tool call that a model makes. */
export interface Step {
  readonly tool?: string;
  readonly method?: string;
  readonly args?: JsonObject;
  readonly returns?: unknown;
  readonly break_loop?: boolean;
  /** Whether the message of the response cannot be changed. */
  readonly frozen?: boolean;
  /** Whether there is no response at all. */
  readonly none?: boolean;
  readonly raises?: 'value' | 'repairable' | 'user';
  readonly text?: string;
  /** Whose call it is: a number, or an agent that lacks something. */
  readonly agent?: number | 'none' | 'bare' | 'no context';
  /** The user writes something. */
  readonly user?: boolean;
  /** Something puts this into the data of the agent. */
  readonly data?: JsonObject;
  /** The task is cancelled while the hook before the call runs. */
  readonly cancel?: boolean;
}

/** What came of the steps. History and data are those of agent 0, which is agent-zero. */
export interface Played {
  readonly results: readonly {
    readonly message?: unknown;
    readonly raised?: string;
    readonly ended?: string;
  }[];
  readonly log: readonly (readonly [string, string])[];
  readonly history: readonly string[];
  readonly data: JsonObject;
}

const SUPPORT = join(repository, 'test', 'support', 'agent-zero');

/** A folder in which an agent-zero of this layout lives, and where its user keeps state. */
export class AgentZero {
  readonly layout: Layout;
  #chats = 0;
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'holdfast-agent-zero-'));

  constructor(layout: Layout) {
    this.layout = layout;
    const isLegacy = layout === 'legacy';
    const helpers = join(this.root, ...(isLegacy ? ['python', 'helpers'] : ['helpers']));
    const extensions = isLegacy ? ['python', 'extensions'] : ['extensions', 'python'];
    mkdirSync(helpers, { recursive: true });
    mkdirSync(join(this.root, ...extensions), { recursive: true });
    for (const file of ['extension.py', 'errors.py'])
      cpSync(join(SUPPORT, file), join(helpers, file));
    writeFileSync(join(this.root, 'agent.py'), '# tool_execute_before, tool_execute_after\n');
  }

  get root(): string {
    return join(this.#folder, 'a0');
  }

  /** For `holdfast` here: its state stays in this folder. */
  get env(): NodeJS.ProcessEnv {
    const { FORCE_COLOR: _, NODE_OPTIONS: __, ...env } = process.env;
    return {
      ...env,
      HOME: this.#folder,
      HOLDFAST_STATE_DIR: join(this.#folder, 'state'),
      PYTHONDONTWRITEBYTECODE: '1',
    };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Has agent-zero make calls, in a chat of their own. */
  async play(steps: readonly Step[]): Promise<Played> {
    const { code, stdout, stderr } = await run(
      'python3',
      [join(SUPPORT, 'play.py'), this.root, this.layout, `chat-${++this.#chats}`],
      this.env,
      JSON.stringify(steps),
    );
    if (code !== 0) throw new Error(`it ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Played;
  }

  /** Runs the built `holdfast` as a user of this agent-zero does. */
  holdfast(...args: readonly string[]): Promise<Ended> {
    const bin = join(repository, 'packages', 'gateway', 'bin', 'holdfast.js');
    return run(process.execPath, [bin, ...args], this.env, '');
  }
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  stdin: string,
): Promise<Ended> {
  const child = spawn(program, args, { env, timeout: 60_000 });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
