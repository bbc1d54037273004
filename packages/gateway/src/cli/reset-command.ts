import { textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import { circuitState } from './circuit-row.ts';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { resetHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { safeJson, safeLine } from './safe-text.ts';

/** `holdfast reset`: lets calls through a circuit again. */
export const resetCommand: Command = {
  name: 'reset',
  help: resetHelp,
  options: { note: 'value', ...GATEWAY_OPTIONS },

  async run(given, io) {
    const name = readCircuitName(given);
    const note = given.values.get('note');
    const address = readGatewayAddress(given, io);
    const asked = askGateway(address, `/api/v1/circuits/${encodeURIComponent(name)}/reset`, {
      body: note === undefined ? {} : { note },
    });
    const circuit = await withProgress(io, `asking ${address.origin}`, asked);
    io.stdout.write(
      given.flags.has('json')
        ? `${safeJson(circuit, 2)}\n`
        : `${safeLine(textOf(circuit['name']))} is ${circuitState(circuit)}: calls go through again\n`,
    );
    return EXIT.ok;
  },
};

/** The one circuit that was named. */
export function readCircuitName({ positionals }: Arguments): string {
  const [name, ...more] = positionals;
  if (name === undefined) {
    throw new Misuse('expected the name of a circuit; holdfast circuits lists them');
  }
  if (more.length > 0) throw new Misuse(`expected one circuit, got ${positionals.join(' ')}`);
  return name;
}
