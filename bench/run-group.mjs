// One group in a process of its own, so that no group runs on what another has compiled and left in memory.
const [name, options] = process.argv.slice(2);
const group = await import(`./groups/${name}.mjs`);
const startedAt = performance.now();
const result = await group.run(JSON.parse(options));
const seconds = (performance.now() - startedAt) / 1000;
// Timers that a contestant has left running must not keep the group alive.
process.send({ name, about: group.about, seconds, ...result }, () => process.exit());
