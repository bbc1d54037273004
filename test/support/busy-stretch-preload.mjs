// Loaded into a process before its own code: told by SIGUSR2, it writes into a file what its event loop did since then:
// how often it was told, the longest stretch in milliseconds, and by how many bytes its memory grew.
import { writeFileSync } from 'node:fs';
import { watchLoop } from './loop-watch.mjs';

const file = new URL(import.meta.url).searchParams.get('file');
const watch = watchLoop();
let told = 0;

process.on('SIGUSR2', () => {
  const { longestMs, grownBytes } = watch.take();
  writeFileSync(file, `${++told} ${longestMs} ${grownBytes}`);
});
