import { Readable, Writable } from 'node:stream';
import type { Io, Output, Signal } from './io.ts';

export interface MemoryIo extends Io {
  /** What was written to standard output so far. */
  readonly out: () => string;
  /** What was written to standard error so far. */
  readonly err: () => string;
  /** The pauses asked for, none of which was waited for. */
  readonly pauses: readonly number[];
  /** Sends a signal. Returns whether anybody listened; where nobody does, a process would end. */
  readonly signal: (signal: Signal) => boolean;
  /** Presses a key. Returns whether anybody listened. */
  readonly press: (key: string) => boolean;
}

/** The outside world for a command under test: in memory, and without time. */
export function memoryIo(
  given: {
    readonly stdin?: string | AsyncIterable<Uint8Array>;
    readonly isTerminal?: boolean;
    readonly columns?: number;
    readonly rows?: number;
    /** What a pause does, other than being over at once. */
    readonly sleep?: Io['sleep'];
    readonly env?: Io['env'];
  } = {},
): MemoryIo {
  const { stdin = '', isTerminal = false, columns, rows } = given;
  // Nothing that a test runs may add to what its user keeps.
  const env = { HOLDFAST_STATE_DIR: process.env['HOLDFAST_STATE_DIR'], ...given.env };
  const source = typeof stdin === 'string' ? chunks([stdin]) : stdin;
  const [stdout, out] = memoryOutput(isTerminal, columns, rows);
  const [stderr, err] = memoryOutput(isTerminal, columns, rows);
  const pauses: number[] = [];
  const listeners = new Map<Signal, Set<() => void>>();
  const keyListeners = new Set<(key: string) => void>();
  return {
    stdin: {
      isTerminal: isTerminal && given.stdin === undefined,
      [Symbol.asyncIterator]: () => source[Symbol.asyncIterator](),
    },
    stdout,
    stderr,
    env,
    sleep: async (ms, signal) => {
      pauses.push(ms);
      await given.sleep?.(ms, signal);
    },
    onSignal: (signal, listener) => {
      const listening = listeners.get(signal) ?? new Set();
      listeners.set(signal, listening.add(listener));
      return () => void listening.delete(listener);
    },
    onKey: (listener) => {
      keyListeners.add(listener);
      return () => void keyListeners.delete(listener);
    },
    claimPipes: async () => ({ input: Readable.from(source), output: writableOf(stdout) }),
    out,
    err,
    pauses,
    signal: (signal) => {
      const listening = [...(listeners.get(signal) ?? [])];
      for (const listener of listening) listener();
      return listening.length > 0;
    },
    press: (key) => {
      const listening = [...keyListeners];
      for (const listener of listening) listener(key);
      return listening.length > 0;
    },
  };
}

export async function* chunks(
  given: Iterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  for (const chunk of given) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

function writableOf(output: Output): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      output.write(chunk.toString());
      done();
    },
  });
}

function memoryOutput(
  isTerminal: boolean,
  columns: number | undefined,
  rows: number | undefined,
): [Output, () => string] {
  let written = '';
  const output = {
    isTerminal,
    columns,
    rows,
    write: (text: string) => void (written += text),
    drained: () => Promise.resolve(),
  };
  return [output, () => written];
}
