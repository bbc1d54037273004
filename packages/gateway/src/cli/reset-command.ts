import { countOf, textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import { circuitState } from './circuit-row.ts';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { counted } from './format-amount.ts';
import type { Io } from './io.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { resetHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { safeJson, safeLine } from './safe-text.ts';

/** `holdfast reset`: lets calls through a circuit again. */
export const resetCommand: Command = {
  name: 'reset',
  help: resetHelp,
  options: { note: 'value', reasoning: 'flag', ...GATEWAY_OPTIONS },

  async run(given, io) {
    if (given.flags.has('reasoning')) return resetReasoning(given, io);
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

/** Forgets which models begin their answers in reasoning, of one model or of all. */
async function resetReasoning(given: Arguments, io: Io): Promise<number> {
  const [model, ...more] = given.positionals;
  if (more.length > 0 || given.values.has('note')) {
    throw new Misuse('--reasoning: expected at most the name of a model, and no --note');
  }
  const address = readGatewayAddress(given, io);
  const asked = askGateway(address, '/api/v1/reasoning/reset', {
    body: model === undefined ? {} : { model },
  });
  const answer = await withProgress(io, `asking ${address.origin}`, asked);
  const forgotten = counted(countOf(answer['forgotten']) ?? 0, 'learned fact');
  io.stdout.write(given.flags.has('json') ? `${safeJson(answer, 2)}\n` : `${forgotten} reset\n`);
  return EXIT.ok;
}

/** The one circuit that was named. */
export function readCircuitName({ positionals }: Arguments): string {
  const [name, ...more] = positionals;
  if (name === undefined) {
    throw new Misuse('expected the name of a circuit; holdfast circuits lists them');
  }
  if (more.length > 0) throw new Misuse(`expected one circuit, got ${positionals.join(' ')}`);
  return name;
}
