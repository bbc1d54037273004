import type { Readable, Writable } from 'node:stream';

/** Everything a command reads, writes or waits for, so that a test can run one without a process. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends early, and well, where the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Calls `listener` at each such signal, in place of what it does by itself. Returns what ends that. */
  readonly onSignal: (signal: Signal, listener: () => void) => () => void;
  /**
   * Calls `listener` with each key that is pressed, as the terminal sends it, until what it returns is called. Ctrl-C
   * is a key then. Where standard input is no terminal, there are none.
   */
  readonly onKey: (listener: (key: string) => void) => () => void;
  /** What others print to standard output goes to standard error from now on. */
  readonly claimPipes: () => Promise<Pipes>;
}

/** Standard input and output as a protocol has them: nothing else may write there from now on. */
export interface Pipes {
  readonly input: Readable;
  readonly output: Writable;
}

/** Stop (Ctrl-C), stop (from another program), read the configuration again. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Input extends AsyncIterable<Uint8Array> {
  readonly isTerminal: boolean;
}

export interface Output {
  readonly isTerminal: boolean;
  /** How many characters fit on a line; undefined when it is no terminal. Changes with its window, as `rows` does. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  write(text: string): void;
  /** Resolves once the reader at the other end has kept up, so that a slow one costs no memory. */
  drained(): Promise<void>;
}
