import { vi } from 'vitest';
import type { MemoryIo } from './memory-io.case.ts';
import { memoryIo } from './memory-io.case.ts';
import { ENV, moodyServer } from './moody-server.case.ts';
import { run } from './run.ts';

/** `holdfast mcp --listen` in front of a moody server, until it is stopped. */
export interface RunningMcp {
  readonly io: MemoryIo;
  /** Without a path. */
  readonly url: string;
  /** Calls a tool as a client without a session does. Returns the status of HTTP, and the result. */
  readonly call: (tool: string, args?: object) => Promise<Called>;
  /** Returns the exit code. */
  readonly stop: () => Promise<number>;
}

export interface Called {
  readonly status: number;
  readonly result: unknown;
}

/** For a process that has to load everything first, on a busy machine. */
export const PATIENCE = { timeout: 8000 };

/** Starts it, and waits until it says where it listens. */
export async function startMcp(
  tools: readonly string[],
  ...flags: readonly string[]
): Promise<RunningMcp> {
  const io = memoryIo({ env: { ...ENV, HOLDFAST_LOG: 'silent' } });
  const args = ['mcp', '--listen', '127.0.0.1:0', ...flags, '--', ...moodyServer(...tools)];
  const ended = run(args, io);
  const url = await vi.waitFor(() => {
    const [found] = /http:\S+/.exec(io.out()) ?? [];
    if (found === undefined) throw new Error(`nothing printed yet: ${io.err()}`);
    return found;
  }, PATIENCE);
  return {
    io,
    url,
    call: (tool, given = {}) => call(url, tool, given),
    stop: () => {
      io.signal('SIGTERM');
      return ended;
    },
  };
}

async function call(url: string, tool: string, args: object): Promise<Called> {
  const version = '2026-07-28';
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const text = await response.text();
  const json = /^data: (.+)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, result: (JSON.parse(json) as { result?: unknown }).result };
}
