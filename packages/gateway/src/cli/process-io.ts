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
    sleep: (ms) => sleep(ms),
    onSignal: (signal, listener) => {
      process.on(signal, listener);
      return () => void process.off(signal, listener);
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
    columns: stream.isTTY ? stream.columns : undefined,
    write: (text) => void stream.write(text),
    drained: () =>
      stream.writableNeedDrain
        ? new Promise((resolve) => stream.once('drain', resolve))
        : Promise.resolve(),
  };
}
