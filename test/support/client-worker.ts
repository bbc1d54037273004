import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { JsonObject, ToolDefinition } from '@holdfast/core';
import { root } from './repository.ts';

/** What a client is asked to do: one conversation, with tools. */
export interface ClientJob {
  /** One of `clients`. */
  readonly client: string;
  /** Of the gateway, without a path. */
  readonly url: string;
  readonly model: string;
  readonly prompt: string;
  readonly tools: readonly ClientTool[];
  /** False: the client sends all that was said. The `ai` SDK in Responses names what it was sent by its id. */
  readonly store?: boolean;
}

/** A tool as a client offers it; only those of Responses can say what is optional here. */
export interface ClientTool extends ToolDefinition {
  /** Where its name is known. */
  readonly namespace?: string;
  /** It takes a text, without a schema. */
  readonly isFreeText?: boolean;
}

/** What a client saw of a conversation. */
export interface ClientOutcome {
  readonly turns: readonly {
    readonly text: string;
    readonly finish: string;
    /** Where the client shows some. */
    readonly reasoning?: string;
  }[];
  /** The tools that ran, with what they were given. */
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
  readonly error?: {
    /** The names of its class and of all it extends. */
    readonly classes: readonly string[];
    readonly status?: number;
    readonly message: string;
  };
}

export interface ClientWorker {
  readonly clients: readonly string[];
  run(job: ClientJob): Promise<ClientOutcome>;
  close(): Promise<void>;
}

interface Installed {
  readonly ok: boolean;
  readonly node: string;
  readonly worker: string;
  /** Why not. */
  readonly reason?: string;
}

/** Installs the clients and the Node they need, unless that was done before. */
export async function installClients(): Promise<Installed> {
  const child = spawn(process.execPath, ['scripts/install-clients.mjs'], { cwd: root });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  await once(child, 'close');
  return JSON.parse(output) as Installed;
}

/** Starts the one process that runs all clients. */
export async function startClientWorker({ node, worker }: Installed): Promise<ClientWorker> {
  const child = spawn(node, [worker], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, (outcome: ClientOutcome) => void>();
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const { clients } = JSON.parse(first) as { readonly clients: readonly string[] };
  lines.on('line', (line) => {
    const { id, ...outcome } = JSON.parse(line) as ClientOutcome & { readonly id: number };
    waiting.get(id)?.(outcome);
    waiting.delete(id);
  });
  let jobs = 0;
  return {
    clients,
    run: (job) =>
      new Promise((resolve) => {
        const id = jobs++;
        waiting.set(id, resolve);
        child.stdin.write(`${JSON.stringify({ id, ...job })}\n`);
      }),
    close: async () => {
      const closed = once(child, 'close');
      child.kill();
      await closed;
    },
  };
}
