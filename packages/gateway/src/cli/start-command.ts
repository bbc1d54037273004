import { existsSync } from 'node:fs';
import type { Arguments, Command } from './command.ts';
import { startHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { proxyCommand } from './proxy-command.ts';
import { readProxyFlags } from './read-proxy-flags.ts';
import { startGreeting } from './start-greeting.ts';
import { upCommand } from './up-command.ts';

const CONFIG_FILE = 'holdfast.yaml';
/** From the usual one upwards, so that a second demo starts too. */
const PORTS_TO_TRY = 20;
/** Nobody waits half a minute for a demo to end. */
const SHUTDOWN_GRACE_MS = 2_000;

/** `holdfast start`: the gateway with what is configured; with nothing, in front of a demo model. */
export const startCommand: Command = {
  name: 'start',
  help: startHelp,
  options: { port: 'value', log: 'value' },

  async run(given, io) {
    const { positionals, values } = given;
    if (positionals.length > 0) {
      throw new Misuse(`expected options only, got ${positionals.join(' ')}`);
    }
    if ((io.env['HOLDFAST_UPSTREAM'] ?? '') !== '') return proxyCommand.run(given, io);
    if (!existsSync(CONFIG_FILE)) return runDemo(given, io);
    if (values.has('port')) throw new Misuse(`--port: ${CONFIG_FILE} says where to listen`);
    return upCommand.run(given, io);
  },
};

async function runDemo(given: Arguments, io: Io): Promise<number> {
  const { startDemoUpstream } = await import('../demo-upstream/start-demo-upstream.ts');
  const { runGateway } = await import('../run-gateway.ts');
  const upstream = await startDemoUpstream();
  try {
    const lists = new Map([['upstream', [upstream.url]]]);
    // With a token or a key of somebody's environment, the commands that are printed would not work.
    const env = { HOLDFAST_LOG: io.env['HOLDFAST_LOG'] };
    const { config } = readProxyFlags({ ...given, lists }, env);
    return await runGateway({ ...config, shutdownGraceMs: SHUTDOWN_GRACE_MS }, io, {
      greeting: (url) => startGreeting(url, upstream.url),
      portsToTry: given.values.has('port') ? 1 : PORTS_TO_TRY,
    });
  } finally {
    await upstream.close();
  }
}
