import { writeFileSync } from 'node:fs';
import { setInterval } from 'node:timers';
import { workerData } from 'node:worker_threads';

// Watches from a thread of its own: an input that never ends cannot be stopped from within.
const { shared, file, mostCpuMs } = workerData;
const state = new Int32Array(shared, 0, 4);
const characters = new Uint16Array(shared, 16);

const LOOK_MS = Math.min(500, mostCpuMs / 4);

let execution = -1;
let cpuAtStart = 0;

setInterval(() => {
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  const current = Atomics.load(state, 0);
  if (current !== execution) {
    execution = current;
    cpuAtStart = cpuMs;
  } else if (Atomics.load(state, 3) === 1 && cpuMs - cpuAtStart > mostCpuMs) {
    const text = String.fromCharCode(...characters.slice(0, Math.min(state[1], 60_000)));
    writeFileSync(file, JSON.stringify({ text, choice: state[2] >>> 0 }));
    process.kill(process.pid, 'SIGKILL');
  }
}, LOOK_MS);
