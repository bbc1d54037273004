import type { JsonObject } from '@holdfast/core';
import { ManualClock } from '@holdfast/core/testing';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import type { MemoryLogger } from '../../log/memory-logger.case.ts';
import type { Message } from '../exchange.ts';
import type { McpServerConfig } from '../mcp-config.ts';
import { serverConfig } from '../server-config.case.ts';
import { EraVerdicts } from './era-verdicts.ts';
import { UpstreamServer } from './upstream-server.ts';
import type { UpstreamListener } from './upstream-server.ts';

/** What a scripted server says to a request; undefined for nothing at all. */
export type Answer = (params: JsonObject) => JsonObject | undefined | Promise<JsonObject>;

/** A legacy server that answers by script, and remembers what it heard. */
export class ScriptedServer {
  readonly heard: Message[] = [];
  readonly answers = new Map<string, Answer>();
  /** What new connections do instead of answering. */
  mood: 'well' | 'refuses' | 'silent' | 'ends-at-probe' = 'well';
  starts = 0;
  capabilities: JsonObject = { tools: { listChanged: true } };
  #current: InMemoryTransport | undefined;

  readonly createTransport = (): Transport => {
    this.starts++;
    if (this.mood === 'refuses') throw new Error('it does not start');
    const [near, far] = InMemoryTransport.createLinkedPair();
    // Whoever asked may have gone before the answer.
    far.onmessage = (message) => void this.#hear(message, far).catch(() => undefined);
    void far.start();
    this.#current = far;
    return near;
  };

  /** How often it was asked this. */
  count(method: string): number {
    return this.heard.filter((message) => message.method === method).length;
  }

  say(message: Message): void {
    void this.#current?.send({ jsonrpc: '2.0', ...message });
  }

  async end(): Promise<void> {
    await this.#current?.close();
  }

  async #hear(message: JSONRPCMessage, far: InMemoryTransport): Promise<void> {
    if (!('method' in message)) return;
    const params = (message.params ?? {}) as JsonObject;
    this.heard.push({ method: message.method, params });
    if (!('id' in message) || this.mood === 'silent') return;
    const { id } = message;
    if (message.method === 'server/discover') {
      if (this.mood === 'ends-at-probe') return far.close();
      const error = { code: -32_601, message: 'Method not found' };
      return far.send({ jsonrpc: '2.0', id, error });
    }
    try {
      const answer = this.answers.get(message.method) ?? this.#usual(message.method);
      const result = await answer?.(params);
      if (result !== undefined) await far.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      const told = { code: -32_000, message: error instanceof Error ? error.message : 'failed' };
      await far.send({ jsonrpc: '2.0', id, error: told });
    }
  }

  #usual(method: string): Answer | undefined {
    if (method !== 'initialize') return () => ({});
    return ({ protocolVersion }) => ({
      protocolVersion: protocolVersion ?? '2025-11-25',
      capabilities: this.capabilities,
      serverInfo: { name: 'scripted', version: '1' },
    });
  }
}

export const NO_LISTENER: UpstreamListener = {
  onRequest: () => Promise.reject(new Error('nobody is there')),
  onNotification: () => undefined,
  onConnected: () => undefined,
};

export interface UpstreamToScripted {
  readonly server: UpstreamServer;
  readonly script: ScriptedServer;
  readonly clock: ManualClock;
  readonly log: MemoryLogger;
}

/** A server behind the gateway whose far end is scripted, on a clock that stands still. */
export function upstreamToScripted(
  given: {
    readonly config?: Partial<McpServerConfig>;
    readonly listener?: Partial<UpstreamListener>;
    readonly prefer?: 'legacy';
    readonly connectTimeoutMs?: number;
  } = {},
): UpstreamToScripted {
  const script = new ScriptedServer();
  const clock = new ManualClock(1000);
  const log = memoryLogger();
  const server = new UpstreamServer({
    config: serverConfig('scripted', given.config),
    identity: { info: { name: 'test', version: '1' }, capabilities: {} },
    listener: { ...NO_LISTENER, ...given.listener },
    prefer: given.prefer ?? 'legacy',
    connectTimeoutMs: given.connectTimeoutMs ?? 5000,
    verdicts: new EraVerdicts(clock),
    createTransport: script.createTransport,
    clock,
    random: () => 0,
    log,
  });
  return { server, script, clock, log };
}
