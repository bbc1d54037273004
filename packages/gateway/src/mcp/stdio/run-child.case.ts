import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { vi } from 'vitest';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import { ChildTransport } from './child-transport.ts';
import type { ChildTransportOptions } from './child-transport.ts';
import { ProcessGroup } from './process-group.ts';

/** A transport to a child, and what it told. */
export interface RunningChild {
  readonly transport: ChildTransport;
  readonly messages: JSONRPCMessage[];
  readonly errors: Error[];
  readonly log: MemoryLogger;
  /** How often it said that it is closed. */
  readonly closed: () => number;
  /** Resolves when it has. */
  readonly whenClosed: Promise<void>;
}

/** A transport to a child that runs this script; not yet started. */
export function makeChild(
  script: string,
  options: Partial<ChildTransportOptions> = {},
  env: Readonly<Record<string, string>> = {},
): RunningChild {
  const log = memoryLogger();
  const path = process.env['PATH'] ?? '';
  const transport = new ChildTransport(
    { kind: 'stdio', command: process.execPath, args: ['-e', script], env: { PATH: path, ...env } },
    { name: 'fixture', log, graceMs: 300, ...options },
  );
  const messages: JSONRPCMessage[] = [];
  const errors: Error[] = [];
  let closed = 0;
  transport.onmessage = (message) => void messages.push(message);
  transport.onerror = (error) => void errors.push(error);
  const whenClosed = new Promise<void>((resolve) => {
    transport.onclose = () => {
      closed += 1;
      resolve();
    };
  });
  return { transport, messages, errors, log, closed: () => closed, whenClosed };
}

/** Started, and through with what it does first if it sends a message about it. */
export async function startChild(
  script: string,
  options: Partial<ChildTransportOptions> = {},
): Promise<RunningChild> {
  const child = makeChild(script, options);
  await child.transport.start();
  return child;
}

/** Waits until the child has sent so many messages. */
export function untilMessages({ messages }: RunningChild, count: number): Promise<void> {
  return vi.waitFor(
    () => {
      if (messages.length < count) throw new Error(`${messages.length} of ${count} messages`);
    },
    { timeout: 8000, interval: 5 },
  );
}

/** A line of script that says that it has come this far. */
export const READY = `console.log('{"jsonrpc":"2.0","method":"ready"}');`;

/** A script that sends back whatever it is sent. */
export const ECHO = 'process.stdin.pipe(process.stdout);';

/** Whether anybody of the group still runs. */
export function isGroupAlive({ transport }: RunningChild): boolean {
  return new ProcessGroup(transport.pid ?? 0).isAlive();
}
