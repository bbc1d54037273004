import { fstatSync, readFileSync, writeSync } from 'node:fs';
import { hookCommand } from './hook-command.ts';

// `holdfast hook` and nothing else of the command line: an agent waits for it at each call of a tool. There is no
// `await` out here: it is joined into CommonJS, which has none (see scripts/build.mjs).

/** `process.stdout` takes several milliseconds to make, and what is written to it may not be out when we end. */
function outputTo(descriptor: 1 | 2): { write(text: string): void } {
  return {
    write: (text) => {
      try {
        writeSync(descriptor, text);
      } catch {
        // Nobody reads it any more.
      }
    },
  };
}

function end(code: number): never {
  // Not by itself: standard input may never end.
  process.exit(code);
}

// What goes wrong behind our back must not look like a veto, nor like anything else.
process.on('uncaughtException', (error) => {
  if (process.env['HOLDFAST_DEBUG']) outputTo(2).write(`holdfast: hook: ${String(error)}\n`);
  end(0);
});

/** Whether standard input is a pipe or a file. `process.stdin`, which also knows terminals, takes long to make. */
function isPlainInput(): boolean {
  try {
    const about = fstatSync(0);
    return about.isFIFO() || about.isFile() || about.isSocket();
  } catch {
    return false;
  }
}

/** All of standard input, or undefined where it has to be read as a stream, as pipes of Windows have. */
function readAll(): string | undefined {
  try {
    return process.platform === 'win32' ? undefined : readFileSync(0, 'utf8');
  } catch {
    return undefined;
  }
}

void hookCommand(process.argv.slice(3), {
  stdin: {
    isTerminal: !isPlainInput() && process.stdin.isTTY,
    readAll,
    [Symbol.asyncIterator]: () =>
      process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
  },
  stdout: outputTo(1),
  stderr: outputTo(2),
  env: process.env,
}).then(end);
