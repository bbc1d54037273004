import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { platform } from 'node:process';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { processSecrets, Redactor } from '../../redact/redactor.ts';
import type { Logger } from '../../log/logger.ts';
import { NotSentError } from '../call/not-sent-error.ts';
import type { StdioServerConfig } from '../mcp-config.ts';
import { ReadPace } from './read-pace.ts';
import { endGroup, endMarked } from './end-group.ts';
import { groupSupervisor } from './group-supervisor.ts';
import type { GroupSupervisor } from './group-supervisor.ts';
import { LineQuota } from './line-quota.ts';
import { LineWriter } from './line-writer.ts';
import { LOG_LINES_PER_SECOND, MessageReader } from './message-reader.ts';
import { ProcessGroup, SERVER_ID } from './process-group.ts';
import { describeSpawnError, spawnChild } from './spawn-child.ts';
import { StderrTail } from './stderr-tail.ts';

export interface ChildTransportOptions {
  /** Of the server, for messages. */
  readonly name: string;
  readonly log: Logger;
  /** A server that writes a longer line is ended. @defaultValue 10 MB */
  readonly maxLineBytes?: number;
  /** How many characters may wait for a server that does not read. @defaultValue 32 MB */
  readonly maxQueued?: number;
  /** How long the server has to end by itself, and again after SIGTERM. @defaultValue 2000 */
  readonly graceMs?: number;
  readonly clock?: Clock;
  /** @defaultValue the one of this process */
  readonly supervisor?: GroupSupervisor;
}

/** How a child ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What is still in the pipe when the child has ended is read within this time, or not at all. */
const LAST_WORDS_MS = 50;
const CLOSED = 'was closed';

/**
 * Speaks MCP with a process over its standard input and output. The process runs in a group of its own, and no process
 * of that group is left when the transport has closed, nor when the gateway is killed; on Linux none that left the
 * group, either.
 */
export class ChildTransport implements Transport {
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  onmessage: Transport['onmessage'];

  readonly #config: StdioServerConfig;
  readonly #options: Required<ChildTransportOptions>;
  readonly #reader: MessageReader;
  readonly #pace = new ReadPace();
  readonly #stderr: StderrTail;
  readonly #redactor: Redactor;
  /** None where it is of no use, or the entry of the server sets the variable itself. */
  readonly #mark: string | undefined;
  #child: ChildProcessWithoutNullStreams | undefined;
  #group: ProcessGroup | undefined;
  #writer: LineWriter | undefined;
  #exit: ChildExit | undefined;
  #reason: string | undefined;
  #isOver = false;
  #closing: Promise<void> | undefined;
  #cancelWait: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;

  constructor(config: StdioServerConfig, options: ChildTransportOptions) {
    this.#config = config;
    const isMarked = platform === 'linux' && !Object.hasOwn(config.env, SERVER_ID);
    this.#mark = isMarked ? randomUUID() : undefined;
    this.#redactor = new Redactor(processSecrets(config));
    this.#options = {
      maxLineBytes: 10 * 1024 * 1024,
      maxQueued: 32 * 1024 * 1024,
      graceMs: 2000,
      clock: systemClock,
      supervisor: groupSupervisor,
      ...options,
    };
    const { log, clock, maxLineBytes } = this.#options;
    this.#reader = new MessageReader({
      maxLineBytes,
      log,
      clock,
      onMessage: (message) => this.onmessage?.(message),
      onError: (error) => this.onerror?.(error),
      onStray: () => this.slowDown(),
      onTooLong: () =>
        this.#breakOff(`wrote a line longer than ${maxLineBytes} bytes (mcp.maxMessageBytes)`),
    });
    const quota = new LineQuota({
      perSecond: LOG_LINES_PER_SECOND,
      clock,
      onDropped: (lines) => log.warn({ lines }, 'more lines on standard error'),
    });
    this.#stderr = new StderrTail(quota, (line) => log.info({ line }, 'standard error'));
  }

  /** Of the process, once it was started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** How the process ended, once it has. */
  get exit(): ChildExit | undefined {
    return this.#exit;
  }

  /** The last 64 KB that the process wrote to its standard error. */
  get stderr(): string {
    return this.#stderr.text();
  }

  /** Why the connection is over, in words; undefined while it is not. */
  get ending(): string | undefined {
    if (!this.#isOver) return undefined;
    const lastLine = this.#reason === CLOSED ? '' : this.#stderr.lastLine();
    // Clients are told this, and models: a server that complains of its key must not tell them the key.
    const said = lastLine === '' ? '' : `: ${this.#redactor.text(lastLine)}`;
    return `The server ${this.#options.name} ${this.#reason ?? describeExit(this.#exit)}${said}`;
  }

  async start(): Promise<void> {
    if (this.#child !== undefined) throw new Error('The transport was started already');
    const { supervisor, maxQueued } = this.#options;
    const child = this.#spawn();
    if (child.pid === undefined) {
      const [error] = (await once(child, 'error')) as [unknown];
      throw this.#startError(error);
    }
    this.#group = new ProcessGroup(child.pid, this.#mark);
    supervisor.add(this.#group);
    this.#child = child;
    this.#writer = new LineWriter(child.stdin, maxQueued);
    this.#listen(child);
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#writer === undefined) return Promise.reject(new NotSentError('Not started'));
    return this.#writer.send(message);
  }

  /** A message was read that is over the limit of the server. */
  slowDown(): void {
    this.#pace.slowDown();
  }

  #read(chunk: Buffer): void {
    this.#reader.feed(chunk);
    const pauseMs = this.#exit === undefined ? this.#pace.pauseAfter(chunk.length) : 0;
    if (pauseMs === 0) return;
    this.#child?.stdout.pause();
    this.#cancelPause = this.#options.clock.setTimer(() => this.#goOn(), pauseMs, true);
  }

  #goOn(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#child?.stdout.resume();
  }

  /** Resolves when the process has ended, and all that it started in its group. */
  close(): Promise<void> {
    return (this.#closing ??= this.#endProcess(CLOSED).then(() => this.#end()));
  }

  #spawn(): ChildProcessWithoutNullStreams {
    try {
      this.#options.supervisor.prepare();
      return spawnChild(this.#config, this.#mark);
    } catch (error) {
      throw this.#startError(error);
    }
  }

  #startError(cause: unknown): NotSentError {
    // Not the error itself as the cause: it lists the arguments, and those may hold secrets.
    this.#reason = `cannot be started: ${describeSpawnError(cause, this.#config)}`;
    return new NotSentError(`The server ${this.#options.name} ${this.#reason}`);
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stdout.on('close', () => this.#onSilence());
    child.on('exit', (code, signal) => {
      this.#exit = { code, signal };
      this.#goOn();
      // Others may hold its output open for ever.
      this.#wait(() => this.#end());
    });
    child.on('close', () => this.#end());
    // Failed writes are told to those who sent; failed reads end in `close`.
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', () => undefined);
    }
    child.on('error', () => undefined);
  }

  /** Its output is closed. Mostly its end follows at once, which says more. */
  #onSilence(): void {
    this.#reader.end();
    if (this.#exit === undefined) this.#wait(() => this.#breakOff('closed its output'));
  }

  #wait(then: () => void): void {
    this.#cancelWait?.();
    this.#cancelWait = this.#options.clock.setTimer(then, LAST_WORDS_MS);
  }

  /** It cannot go on with this process, though it still runs. */
  #breakOff(reason: string): void {
    if (this.#closing !== undefined) return;
    this.#reason = reason;
    this.#child?.stdout.destroy();
    this.#end();
  }

  /** The connection is over, whoever of the group still has to be ended. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelWait?.();
    this.#reader.end();
    this.#stderr.end();
    this.#writer?.close(this.ending ?? CLOSED);
    this.#closing ??= this.#endProcess(this.#reason);
    this.onclose?.();
  }

  async #endProcess(reason: string | undefined): Promise<void> {
    const { name, graceMs, clock, supervisor } = this.#options;
    const child = this.#child;
    const group = this.#group;
    if (this.#exit === undefined) this.#reason ??= reason;
    if (child === undefined || group === undefined) return;
    this.#writer?.end(`The server ${name} ${CLOSED}`);
    const isGone = (): boolean => this.#exit !== undefined && !group.isAlive();
    const hasEnded = await endGroup(group, { graceMs, clock, isGone, leader: child });
    if (!(await endMarked(group, { graceMs, clock })) || !hasEnded) {
      this.onerror?.(new Error(`Processes of the server ${name} do not end`));
    }
    supervisor.remove(group);
    // Somebody outside the group may hold the other ends, so they do not close by themselves.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

function describeExit(exit: ChildExit | undefined): string {
  if (exit === undefined) return CLOSED;
  return exit.signal === null ? `ended with code ${exit.code ?? 0}` : `was ended by ${exit.signal}`;
}
