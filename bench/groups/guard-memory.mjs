import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { idleCircuits } from '../idle-circuits.mjs';
import { digits, mark } from '../harness/table.mjs';

export const about =
  '10,000 circuits that have seen one success each and are idle now: bytes of `heapUsed` and `arrayBuffers`, timers that are set, and how much of a core they take. Budget: in `Circuits` at most 1 KB each and no timer. Each kind in processes of its own; the middle of three.';

const COUNT = 10_000;
const BUDGET_BYTES = 1024;
const RUNS = 3;

export async function run() {
  const results = {};
  for (const { name } of idleCircuits) {
    const memory = [];
    for (let count = 0; count < RUNS; count++) memory.push(await measure(name, 'memory'));
    const { bytes } = memory.toSorted((a, b) => a.bytes - b.bytes)[Math.floor(RUNS / 2)];
    const idling = await measure(name, 'idling');
    const isRight = [...memory, idling].every((one) => one.isRight);
    results[name] = { ...idling, bytes, isRight };
  }
  const rows = idleCircuits.map(({ name, isOurs = false }) => {
    const { bytes, timers, idleCpu, isRight } = results[name];
    const isSmall = isRight && bytes <= BUDGET_BYTES && timers === 0;
    return {
      cells: [
        mark({ isRight }, name),
        digits(bytes),
        digits(timers),
        `${(idleCpu * 100).toFixed(1)} %`,
        isOurs ? `≤ ${digits(BUDGET_BYTES)} B, 0 timers` : '',
      ],
      pass: isOurs ? isSmall : undefined,
    };
  });
  const columns = ['what', 'bytes each', 'timers', 'of a core', 'limit'];
  return { tables: [{ title: '10,000 idle circuits', columns, rows }], results };
}

function measure(name, what) {
  return new Promise((done, failed) => {
    const script = fileURLToPath(new URL('../harness/measure-idle.mjs', import.meta.url));
    const child = fork(script, [name, COUNT, what], { execArgv: ['--expose-gc'] });
    let result;
    child.on('message', (message) => (result = message));
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0 && result !== undefined) done(result);
      else failed(new Error(`${name} ended with exit code ${code}`));
    });
  });
}
