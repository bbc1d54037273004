import type { Arguments, Command } from './command.ts';
import { demoHelp } from './help.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { readLogLevel } from './read-log-level.ts';
import { readProxyFlags } from './read-proxy-flags.ts';
import { startGreeting } from './start-greeting.ts';

/** From the usual one upwards, so that a second demo starts too. */
const PORTS_TO_TRY = 20;
const HALF_CYCLE_SECONDS = 20;

/** `holdfast demo`: all of it, with a made-up model, made-up tools and made-up agents. */
export const demoCommand: Command = {
  name: 'demo',
  help: demoHelp,
  options: {
    port: 'value',
    log: 'value',
    open: 'flag',
    'no-traffic': 'flag',
    flaky: 'value',
    json: 'flag',
  },

  async run(given, io) {
    const { positionals } = given;
    if (positionals.length > 0) {
      throw new Misuse(
        `expected options only, got ${positionals.join(' ')}; holdfast play <dir> plays the texts of a folder`,
      );
    }
    return runDemoWith(given, io);
  },
};

/** Runs the demo with the options of a command. */
export async function runDemoWith(given: Arguments, io: Io): Promise<number> {
  const { flags, values } = given;
  const halfCycleMs = readSeconds(values.get('flaky')) * 1000;
  // With a token or a key of somebody's environment, the commands that are printed would not work.
  const env = { HOLDFAST_LOG: io.env['HOLDFAST_LOG'] };
  const configFor = (upstreamUrl: string) =>
    readProxyFlags({ ...given, lists: new Map([['upstream', [upstreamUrl]]]) }, env).config;
  const { runDemo } = await import('../demo/run-demo.ts');
  return runDemo(io, {
    configFor,
    greeting: (url, upstreamUrl) =>
      flags.has('json')
        ? `${JSON.stringify({ url })}\n`
        : startGreeting({
            url,
            upstreamUrl,
            hasTraffic: !flags.has('no-traffic'),
            // What npm runs is on its path, and not on that of the terminal.
            program: io.env['npm_command'] === undefined ? 'holdfast' : 'npx holdfast',
          }),
    portsToTry: values.has('port') ? 1 : PORTS_TO_TRY,
    hasTraffic: !flags.has('no-traffic'),
    opens: flags.has('open'),
    halfCycleMs,
    writeLogFrom: readLogLevel(given, env) ?? 'error',
  });
}

function readSeconds(written: string | undefined): number {
  if (written === undefined) return HALF_CYCLE_SECONDS;
  const seconds = /^\d{1,4}(?:\.\d{1,3})?$/.test(written) ? Number(written) : 0;
  if (seconds > 0) return seconds;
  throw new Misuse(`--flaky: expected seconds above 0, got "${written}"`);
}
