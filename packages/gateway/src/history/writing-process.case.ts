import { writeSync } from 'node:fs';
import { systemClock } from '@holdfast/core/guard';
import { memoryLogger } from '../log/memory-logger.case.ts';
import { History } from './history.ts';
import { observed, turn } from './observed.case.ts';

// Records in a folder as fast as a busy gateway, and tells of each record, until it is killed. With a number, so
// many records, and then it ends.
const [, , folder = '', name = '', most = 'Infinity', maxBytes = '20000000'] = process.argv;
const log = memoryLogger();
const history = new History({
  folder,
  log,
  clock: systemClock,
  bounds: { maxBytes: Number(maxBytes), maxAgeMs: 1e10 },
});
for (let number = 1; number <= Number(most); number++) {
  const at = Date.now();
  history.record(observed(turn({ id: `${name}${number}` }), at));
  // At once, so that whoever reads it knows how far this process came.
  writeSync(1, `${number} ${at}\n`);
  await new Promise((resolve) => setTimeout(resolve, number % 20 === 0 ? 5 : 0));
}
await history.close();
writeSync(1, `end ${JSON.stringify(log.entries.map(({ message }) => message))}\n`);
