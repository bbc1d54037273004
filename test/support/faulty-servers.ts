import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CalledTool } from './mcp-test-client.ts';
import { root } from './repository.ts';

const PROGRAM = join(root, 'test', 'support', 'faulty-server.mjs');

/** What happened to a server, as it wrote it down itself. */
export interface FaultyEvent {
  readonly event: 'started' | 'spawned' | 'listed' | 'ran' | 'cancelled' | 'told to end';
  readonly pid: number;
  /** Which tool it ran. */
  readonly tool?: string;
  /** The process that it started. */
  readonly child?: number;
}

/** How a server is: see `faulty-server.mjs`. */
export type FaultyState = 'down' | 'deaf' | 'slow' | 'ill';

/** What a server does from its start on. */
type Trait = 'grandchild' | 'detached' | 'stubborn';

/** MCP servers that misbehave, each a process of its own behind a gateway. */
export class FaultyServers {
  readonly #folder = mkdtempSync(join(tmpdir(), 'holdfast-faulty-'));

  /** A server's entry in a file of servers. */
  entry(name: string, settings: object = {}, ...traits: Trait[]): object {
    return { command: process.execPath, args: this.args(name, ...traits), ...settings };
  }

  /** What to start with Node. */
  args(name: string, ...traits: Trait[]): readonly string[] {
    return [PROGRAM, name, this.#folder, ...traits];
  }

  put(name: string, state: FaultyState, value = ''): void {
    writeFileSync(join(this.#folder, `${name}.${state}`), value);
  }

  undo(name: string, state: FaultyState): void {
    rmSync(join(this.#folder, `${name}.${state}`), { force: true });
  }

  /** What happened, in order. */
  events(name: string): readonly FaultyEvent[] {
    const file = join(this.#folder, `${name}.log`);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as FaultyEvent);
  }

  count(name: string, wanted: FaultyEvent['event'], tool?: string): number {
    const isWanted = (each: FaultyEvent): boolean =>
      each.event === wanted && (tool === undefined || each.tool === tool);
    return this.events(name).filter(isWanted).length;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Whether a process still runs; one that has ended and waits to be read does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** All that a result says. */
export const textOf = ({ content }: CalledTool): string =>
  (content as readonly { readonly text?: string }[]).map(({ text }) => text ?? '').join('\n');
