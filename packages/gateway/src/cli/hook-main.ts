import { writeSync } from 'node:fs';
import { hookCommand } from './hook-command.ts';

// `holdfast hook` and nothing else of the command line: an agent waits for it at each call of a tool. There is no
// `await` out here, so that Node can load it, and all that it imports, in one go (see bin/holdfast.js).

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

const { stdin } = process;

// What goes wrong behind our back must not look like a veto, nor like anything else.
process.on('uncaughtException', (error) => {
  if (process.env['HOLDFAST_DEBUG']) outputTo(2).write(`holdfast: hook: ${String(error)}\n`);
  end(0);
});

void hookCommand(process.argv.slice(3), {
  stdin: {
    isTerminal: stdin.isTTY,
    [Symbol.asyncIterator]: () => stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
  },
  stdout: outputTo(1),
  stderr: outputTo(2),
  env: process.env,
}).then(end);
