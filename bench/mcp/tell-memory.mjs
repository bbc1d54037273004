// Loaded before a contestant with `--import`: on SIGUSR2 it collects its garbage and tells its memory on stderr.
import { writeSync } from 'node:fs';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  writeSync(2, `\n${JSON.stringify({ memoryOf: process.pid, rss, heapUsed })}\n`);
});
