/** The gateway as its users start it, in a process that tells its memory when it is asked. */
const [upstream, port, ...flags] = process.argv.slice(2);
process.on('message', () => {
  globalThis.gc?.();
  globalThis.gc?.();
  process.send({ rss: process.memoryUsage().rss, heapUsed: process.memoryUsage().heapUsed });
});
process.on('disconnect', () => process.exit());
process.argv = [
  process.argv[0],
  'holdfast',
  'proxy',
  '--upstream',
  `${upstream}/v1`,
  '--port',
  port,
  '--log',
  'error',
  ...flags,
];
await import('../../packages/gateway/bin/holdfast.js');
