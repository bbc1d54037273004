// One group in a process of its own, so that no group runs on what another has compiled and left in memory.
import { peerVersions } from './harness/peer-versions.mjs';

const [group, options] = process.argv.slice(2);
const { about, run } = await import(`./groups/${group}.mjs`);
const startedAt = performance.now();
const result = await run(JSON.parse(options));
const seconds = (performance.now() - startedAt) / 1000;
const told = { group, about, node: process.version, peers: peerVersions(), seconds, ...result };
// Timers that a contestant has left running must not keep the group alive.
process.send(told, () => process.exit());
