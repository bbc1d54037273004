// A process for `orphans.test.ts`: starts children that do not want to go, prints the numbers of their groups
// and of the supervisor, and stays.
import { memoryLogger } from '../../log/memory-logger.case.ts';
import { ChildTransport } from './child-transport.ts';
import { groupSupervisor } from './group-supervisor.ts';

const READY = `console.log('{"jsonrpc":"2.0","method":"ready"}');`;
const STAYS = 'setInterval(() => {}, 1000);';
const commands: readonly (readonly string[])[] = [
  // With children of its own.
  ['sh', '-c', `sleep 60 & (sleep 61; true) & "$0" -e "$1"`, process.execPath, READY + STAYS],
  [process.execPath, '-e', `process.on('SIGTERM', () => {}); ${STAYS} ${READY}`],
  // Deaf to the end of its input.
  [process.execPath, '-e', `${STAYS} ${READY}`],
];

const pids = await Promise.all(
  commands.map(async ([command = '', ...args]) => {
    const transport = new ChildTransport(
      { kind: 'stdio', command, args, env: { PATH: process.env['PATH'] ?? '' } },
      { name: 'fixture', log: memoryLogger() },
    );
    const ready = new Promise<void>((resolve) => {
      transport.onmessage = () => resolve();
    });
    await transport.start();
    await ready;
    return transport.pid;
  }),
);
process.stdout.write(`${JSON.stringify([...pids, groupSupervisor.pid])}\n`);
