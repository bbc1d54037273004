import { textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { formatDuration } from './format-amount.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { isolateHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { readDuration } from './read-duration.ts';
import { ofQuery, readCircuitName } from './reset-command.ts';
import { safeJson, safeLine } from './safe-text.ts';

/** `holdfast isolate`: lets no call through a circuit, for a while or until it is reset. */
export const isolateCommand: Command = {
  name: 'isolate',
  help: isolateHelp,
  options: { reason: 'value', for: 'value', of: 'value', ...GATEWAY_OPTIONS },

  async run(given, io) {
    const name = readCircuitName(given);
    const reason = given.values.get('reason') ?? '';
    if (reason === '') {
      throw new Misuse(
        '--reason is missing; expected what those will read whose calls are refused',
      );
    }
    const written = given.values.get('for');
    const seconds = written === undefined ? undefined : readDuration('for', written);
    const address = readGatewayAddress(given, io);
    const asked = askGateway(
      address,
      `/api/v1/circuits/${encodeURIComponent(name)}/isolate${ofQuery(given)}`,
      {
        body: { reason, ...(seconds !== undefined && { for_seconds: seconds }) },
      },
    );
    const circuit = await withProgress(io, `asking ${address.origin}`, asked);
    if (given.flags.has('json')) {
      io.stdout.write(`${safeJson(circuit, 2)}\n`);
      return EXIT.ok;
    }
    const shown = safeLine(textOf(circuit['name']));
    const until =
      seconds === undefined ? 'until it is reset' : `for ${formatDuration(seconds * 1000)}`;
    io.stdout.write(
      `${shown} is isolated ${until}: its calls are refused\n` +
        `To let them through again: holdfast reset ${quoted(shown)}\n`,
    );
    return EXIT.ok;
  },
};

/** As a shell takes it. */
function quoted(name: string): string {
  return /^[\w:./@-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
