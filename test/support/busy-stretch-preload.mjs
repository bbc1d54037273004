// Loaded into a process before its own code: told by SIGUSR2, it writes into a file how much time of the processor the
// longest stretch took in which its event loop did nothing else, in milliseconds, and begins anew. Time by the clock
// would tell of what else the machine does.
import { writeFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const file = new URL(import.meta.url).searchParams.get('file');
let last = process.cpuUsage();
let longest = 0;
let told = 0;

setInterval(() => {
  const { user, system } = process.cpuUsage(last);
  last = process.cpuUsage();
  longest = Math.max(longest, (user + system) / 1000);
}, 1).unref();

process.on('SIGUSR2', () => {
  writeFileSync(file, `${++told} ${longest}`);
  longest = 0;
});
