// Loaded into the gateway before its own code, to do to it from within what happens to processes: the wall clock
// is set, the event loop stands still, memory is lost or counted. It is told by messages of its parent.

import { subscribe } from 'node:diagnostics_channel';
import { watchLoop } from '../test/support/loop-watch.mjs';

const RealDate = Date;
let shiftMs = 0;
/** How often anybody was told the wrong time. */
let wrongReads = 0;

function now() {
  if (shiftMs !== 0) wrongReads++;
  return RealDate.now() + shiftMs;
}

class ShiftedDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }

  static now() {
    return now();
  }
}
globalThis.Date = ShiftedDate;

// A file that may not grow is to be an error, as on a full disk, and not the end of the process.
process.on('SIGXFSZ', () => undefined);

/** What is kept of every request, and how much. */
const kept = [];
let keptOfRequest = 0;
subscribe('http.server.request.start', () => {
  if (keptOfRequest === 0) return;
  kept.push(new Array(keptOfRequest / 8).fill(0.5), Buffer.alloc(keptOfRequest));
});

const loop = watchLoop();

const commands = {
  loop: () => loop.take(),
  shift: ({ ms }) => void (shiftMs = ms),
  leak: ({ bytesOfRequest }) => void (keptOfRequest = bytesOfRequest),
  clock: () => ({ wrongReads }),
  stall: ({ ms }) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  },
  measure: () => {
    globalThis.gc();
    globalThis.gc();
    const { rss, heapUsed, external } = process.memoryUsage();
    return { rss, heapUsed, external, resources: process.getActiveResourcesInfo() };
  },
};

process.on('message', ({ id, command, ...rest }) => {
  const answer = commands[command](rest) ?? {};
  if (process.connected) process.send({ id, ...answer });
});
// It must not keep the gateway from ending, nor be counted among what it holds.
process.channel.unref();
