// Watches the event loop of the process it is loaded into: the longest stretch in which it did nothing else, and by how
// much its memory grew. Where the system tells, a stretch is time that the main thread spent on the processor: time by the
// clock would tell of what else the machine does.
import { readFileSync } from 'node:fs';
import { setInterval } from 'node:timers';

const SCHEDULED = '/proc/self/schedstat';

function busyMs() {
  try {
    return Number(readFileSync(SCHEDULED, 'latin1').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

/** A process that may open no more files cannot ask. */
function residentBytes() {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

/** Starts to watch. `take` returns what was seen since it was called last; `skip` leaves out what came right before it. */
export function watchLoop() {
  let last = busyMs();
  let longestMs = 0;
  let firstBytes = residentBytes();
  let mostBytes = firstBytes;
  setInterval(() => {
    const now = busyMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  }, 1).unref();
  setInterval(() => (mostBytes = Math.max(mostBytes, residentBytes())), 10).unref();
  const skip = () => (last = busyMs());
  const take = () => {
    const taken = { longestMs, grownBytes: mostBytes - firstBytes };
    longestMs = 0;
    firstBytes = residentBytes();
    mostBytes = firstBytes;
    skip();
    return taken;
  };
  return { skip, take };
}
