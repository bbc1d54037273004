import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Protocol } from '../support/scripted-model.ts';

/** An agent that is run for one prompt, without anybody to ask. */
export interface Agent {
  readonly name: string;
  readonly version: string;
  /** The name it has for the tool that runs a command. */
  readonly shellTool: string;
  /** What that tool calls the command. */
  readonly commandKey: string;
  /** What it asks a model in. */
  readonly protocol: Protocol;
  /** Works on a prompt in an empty folder, and gives what it printed. */
  run(task: AgentTask): Promise<string>;
}

export interface AgentTask {
  /** Of the server that it asks, without a path. */
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  /** Where it works. */
  readonly folder: string;
  /** Where it keeps what is its own. */
  readonly home: string;
  /** MCP servers that it gets, in a file as it has them, and those of their tools that it may use unasked. */
  readonly mcp?: { readonly file: string; readonly allowed: readonly string[] };
  /** Whether hooks that were installed for it are run. @defaultValue false */
  readonly hooks?: boolean;
}

/** Runs a program to its end, with nothing of this process' environment but the path. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return output;
}
