// For `--expose-gc --import`: on SIGUSR2 a process writes how much memory it has in use.
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  process.stderr.write(`in use: ${heapUsed + Math.max(external, arrayBuffers)} bytes\n`);
});
