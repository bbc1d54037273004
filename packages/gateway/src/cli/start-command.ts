import { existsSync } from 'node:fs';
import { maskUrl } from '../redact/redactor.ts';
import { isLoopback } from '../http/is-loopback.ts';
import type { Arguments, Command } from './command.ts';
import { runDemoWith } from './demo-command.ts';
import { startHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { proxyCommand } from './proxy-command.ts';
import { RUN_OPTIONS } from './run-options.ts';
import { upCommand } from './up-command.ts';
import { upstreamHint } from './upstream-hint.ts';

const CONFIG_FILE = 'holdfast.yaml';

/** `holdfast start`: the gateway with what is configured; with nothing, the demo. */
export const startCommand: Command = {
  name: 'start',
  help: startHelp,
  options: {
    port: 'value',
    host: 'value',
    token: 'value',
    log: 'value',
    open: 'flag',
    ...RUN_OPTIONS,
  },

  async run(given, io) {
    const { positionals, values } = given;
    if (positionals.length > 0) {
      const hint = upstreamHint('proxy', positionals);
      throw new Misuse(`expected options only, got ${positionals.map(maskUrl).join(' ')}${hint}`);
    }
    if ((io.env['HOLDFAST_UPSTREAM'] ?? '') !== '') return proxyCommand.run(given, io);
    if (!existsSync(CONFIG_FILE)) {
      refuseOpenDemo(given, io);
      return runDemoWith(given, io);
    }
    const said = ['port', 'host', 'token'].find((option) => values.has(option));
    if (said !== undefined) throw new Misuse(`--${said}: ${CONFIG_FILE} says where to listen`);
    return upCommand.run(given, io);
  },
};

/** The demo has no secrets and asks for none: nobody else is let near it. */
function refuseOpenDemo({ values }: Arguments, { env }: Io): void {
  const host = values.get('host') ?? env['HOLDFAST_HOST'] ?? '';
  if (host === '' || isLoopback(host)) return;
  throw new Misuse(
    `nothing is configured, and the demo runs on loopback only, not on ${host}; ` +
      `set HOLDFAST_UPSTREAM, or put a ${CONFIG_FILE} into the working directory`,
  );
}
