// Open streams of one kind in a process of its own: `measure-streams.mjs <name> <count> <characters>`.
import { streamKinds } from '../open-streams.mjs';

const [name, count, characters] = process.argv.slice(2);
const { open } = streamKinds.find((one) => one.name === name);

const kept = [];
// Code, and what it learns, is loaded once and is no stream's.
for (let number = 0; number < 50; number++) kept.push(await open(Number(characters), number));
const before = usedBytes();
for (let number = 0; number < Number(count); number++)
  kept.push(await open(Number(characters), 1000 + number));
const bytes = (usedBytes() - before) / Number(count);
process.send({ bytes, streams: kept.length }, () => process.exit());

function usedBytes() {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
