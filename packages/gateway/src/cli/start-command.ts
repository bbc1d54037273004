import { existsSync } from 'node:fs';
import type { Command } from './command.ts';
import { runDemoWith } from './demo-command.ts';
import { startHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { proxyCommand } from './proxy-command.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { upCommand } from './up-command.ts';

const CONFIG_FILE = 'holdfast.yaml';

/** `holdfast start`: the gateway with what is configured; with nothing, the demo. */
export const startCommand: Command = {
  name: 'start',
  help: startHelp,
  options: { port: 'value', log: 'value', open: 'flag', ...RUN_OPTIONS },

  async run(given, io) {
    const { positionals, values } = given;
    if (positionals.length > 0) {
      throw new Misuse(`expected options only, got ${positionals.join(' ')}`);
    }
    if ((io.env['HOLDFAST_UPSTREAM'] ?? '') !== '') return proxyCommand.run(given, io);
    if (!existsSync(CONFIG_FILE)) return runDemoWith(given, io);
    if (values.has('port')) throw new Misuse(`--port: ${CONFIG_FILE} says where to listen`);
    return upCommand.run(given, io);
  },
};
