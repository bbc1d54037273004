import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatEvent } from './format-event.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { tailHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { printEvents } from './print-events.ts';
import { safeJson } from './safe-text.ts';
import { stylesFor } from './style.ts';

/** What is worth a line: what ended, and what changed for the calls to come. */
const TYPES = [
  'turn-ended',
  'call-ended',
  'circuit-opened',
  'circuit-half-opened',
  'circuit-closed',
  'server-changed',
  'tool-redefined',
];

/** `holdfast tail`: requests, calls and circuits of a gateway, as it happens. */
export const tailCommand: Command = {
  name: 'tail',
  help: tailHelp,
  options: GATEWAY_OPTIONS,

  async run(given, io) {
    if (given.positionals.length > 0) {
      throw new Misuse(`expected options only, got ${given.positionals.join(' ')}`);
    }
    const address = readGatewayAddress(given, io);
    const styles = stylesFor(io);
    const isJson = given.flags.has('json');
    if (io.stdout.isTerminal && !isJson) {
      io.stderr.write(`Watching ${address.origin}; Ctrl-C ends\n`);
    }
    await printEvents(address, io, {
      path: `/api/v1/events?types=${TYPES.join(',')}`,
      lost: 'events-lost',
      format: (message) => {
        const { type, data } = message;
        if (!isJson) return formatEvent(message, styles);
        return TYPES.includes(type) ? safeJson({ type, ...data }) : undefined;
      },
    });
    return EXIT.ok;
  },
};
