import { setTimeout as sleep } from 'node:timers/promises';
import type { Io, Output } from './io.ts';

/** The streams, environment and clock of this process. */
export function processIo(): Io {
  const { stdin } = process;
  return {
    stdin: {
      isTerminal: stdin.isTTY,
      [Symbol.asyncIterator]: () => stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    },
    stdout: outputTo(process.stdout),
    stderr: outputTo(process.stderr),
    env: process.env,
    sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }).catch(() => undefined),
    onSignal: (signal, listener) => {
      process.on(signal, listener);
      return () => void process.off(signal, listener);
    },
    onKey: (listener) => {
      if (!stdin.isTTY) return () => undefined;
      const read = (chunk: Buffer): void => listener(chunk.toString());
      stdin.setRawMode(true).on('data', read);
      return () => void stdin.off('data', read).setRawMode(false).pause();
    },
    claimPipes: async () => {
      const { claimStdout } = await import('../mcp/stdio/claim-stdout.ts');
      return { input: stdin, output: claimStdout(process.stdout, process.stderr) };
    },
  };
}

function outputTo(stream: NodeJS.WriteStream): Output {
  return {
    isTerminal: stream.isTTY,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined;
    },
    write: (text) => void stream.write(text),
    drained: () =>
      stream.writableNeedDrain
        ? new Promise((resolve) => stream.once('drain', resolve))
        : Promise.resolve(),
  };
}
