// A process for `few-files.test.ts`, which has a low limit of open files: tries to start a child with hardly any
// left, and prints what that left behind, and whether a child starts once there are some again.
import { closeSync, openSync, readdirSync } from 'node:fs';
import { devNull } from 'node:os';
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { ChildTransport } from './child-transport.ts';
import { groupSupervisor } from './group-supervisor.ts';

const openFiles = (): number => readdirSync('/proc/self/fd').length;
const pipes = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'PipeWrap').length;

const child = (): ChildTransport =>
  new ChildTransport(
    {
      kind: 'stdio',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 1000)'],
      env: {},
    },
    { name: 'fixture', log: memoryLogger(), graceMs: 10 },
  );

/** Takes all files but so many. Returns what gives them back. */
function takeFiles(left: number): () => void {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync(devNull, 'r'));
  } catch {
    // That was the last one.
  }
  for (const file of taken.splice(0, left)) closeSync(file);
  return () => {
    for (const file of taken) closeSync(file);
  };
}

// What is loaded with the first child stays open.
const first = child();
await first.start();
await first.close();
const before = { files: openFiles(), pipes: pipes() };
const errors = new Set<string>();
for (let left = 0; left < 8; left++) {
  const giveBack = takeFiles(left);
  await child()
    .start()
    .catch((error: unknown) => errors.add(String(error)));
  giveBack();
}
const after = { files: openFiles(), pipes: pipes() };

groupSupervisor.close();
const giveBack = takeFiles(0);
const withoutSupervisor = await child().start().catch(String);
giveBack();
const last = child();
await last.start();
const isThere = last.pid !== undefined && groupSupervisor.pid !== undefined;
await last.close();
groupSupervisor.close();
const told = { before, after, errors: [...errors], withoutSupervisor, isThere };
process.stdout.write(`${JSON.stringify(told)}\n`);
