import { processIo } from './process-io.ts';
import { run } from './run.ts';

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has seen enough, as in `holdfast parse --stream | head -1`.
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`holdfast: cannot write the output: ${error.message}\n`);
  process.exit(1);
});

process.exitCode = await run(process.argv.slice(2), processIo());
