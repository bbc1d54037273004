import { processIo } from './process-io.ts';
import { run } from './run.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has seen enough, as in `holdfast parse --stream | head -1`.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`holdfast: cannot write the output: ${error.message}\n`);
  process.exit(1);
});

// On a full disk or a closed pipe a message is lost, and the program goes on.
process.stderr.on('error', () => undefined);

process.exitCode = await run(process.argv.slice(2), processIo());

// Messages that nothing reads do not keep a program that is done.
const EXIT_PATIENCE_MS = 500;
if (process.stdout.writableLength === 0 && process.stderr.writableLength > 0)
  setTimeout(() => process.exit(), EXIT_PATIENCE_MS).unref();
