import type { Command } from './command.ts';
import { cutLine } from './cut-line.ts';
import { EXIT } from './exit-codes.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import type { GatewayAddress } from './gateway-address.ts';
import { statusHelp } from './help-operate.ts';
import type { Io } from './io.ts';
import { LiveScreen } from './live-screen.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { readStatus } from './read-status.ts';
import type { GatewayStatus } from './read-status.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { statusScreen } from './status-screen.ts';
import { stylesFor } from './style.ts';

const REDRAW_MS = 1_000;

/** `holdfast status`: how a gateway is, live on a terminal, as JSON elsewhere. */
export const statusCommand: Command = {
  name: 'status',
  help: statusHelp,
  options: { once: 'flag', ...GATEWAY_OPTIONS },

  async run({ flags, values, positionals, lists }, io) {
    if (positionals.length > 0) {
      throw new Misuse(`expected options only, got ${positionals.join(' ')}`);
    }
    const address = readGatewayAddress({ flags, values, positionals, lists }, io);
    const first = await withProgress(io, `asking ${address.origin}`, readStatus(address));
    if (flags.has('json') || (!io.stdout.isTerminal && !flags.has('once'))) {
      io.stdout.write(`${safeJson(first, 2)}\n`);
      return EXIT.ok;
    }
    const isLive = io.stdout.isTerminal && !flags.has('once') && io.env['TERM'] !== 'dumb';
    const last = isLive ? await watch(first, address, io) : first;
    const width = io.stdout.columns ?? Infinity;
    // What was seen last stays to be read.
    const lines = statusScreen(last, { width, height: Infinity, styles: stylesFor(io) });
    io.stdout.write(`${lines.join('\n')}\n`);
    return EXIT.ok;
  },
};

/** Shows it, anew each second, until somebody ends that. Returns what was shown last. */
async function watch(
  first: GatewayStatus,
  address: GatewayAddress,
  io: Io,
): Promise<GatewayStatus> {
  const styles = stylesFor(io);
  const screen = new LiveScreen(io);
  const { signal } = screen;
  let last = first;
  let problem: string | undefined;
  try {
    for (;;) {
      const { width, height } = screen;
      const foot =
        problem === undefined
          ? styles.dim(cutLine('q ends', width))
          : styles.red(cutLine(safeLine(`q ends, trying again: ${problem}`), width));
      const lines = statusScreen(last, { width, height: height - 2, styles });
      screen.draw([...lines, '', foot]);
      await io.sleep(REDRAW_MS, signal);
      if (signal.aborted) return last;
      try {
        last = await readStatus(address, signal);
        problem = undefined;
      } catch (error) {
        problem = error instanceof Error ? (error.message.split(';', 1)[0] ?? '') : String(error);
      }
    }
  } finally {
    screen.close();
  }
}
