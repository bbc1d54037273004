import { CIRCUIT_OWNERS } from '../admin/circuit-directory.ts';
import { countOf, listOf, textOf } from '../proxy/json/json-fields.ts';
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
import { readChoice } from './read-choice.ts';
import { safeJson, safeLine } from './safe-text.ts';

/** `holdfast reset`: lets calls through a circuit again. */
export const resetCommand: Command = {
  name: 'reset',
  help: resetHelp,
  options: { note: 'value', of: 'value', all: 'flag', reasoning: 'flag', ...GATEWAY_OPTIONS },

  async run(given, io) {
    if (given.flags.has('reasoning')) return resetReasoning(given, io);
    const isAll = given.flags.has('all');
    if (isAll && given.positionals.length > 0)
      throw new Misuse(`expected --all or a circuit, got both: ${given.positionals.join(' ')}`);
    const path = isAll ? '' : `/${encodeURIComponent(readCircuitName(given))}`;
    const note = given.values.get('note');
    const address = readGatewayAddress(given, io);
    const asked = askGateway(address, `/api/v1/circuits${path}/reset${ofQuery(given)}`, {
      body: note === undefined ? {} : { note },
    });
    const circuit = await withProgress(io, `asking ${address.origin}`, asked);
    if (given.flags.has('json')) {
      io.stdout.write(`${safeJson(circuit, 2)}\n`);
      return EXIT.ok;
    }
    if (isAll) {
      const names = listOf(circuit['circuits']).map((each) => safeLine(textOf(each)));
      io.stdout.write(
        names.length === 0
          ? 'all circuits are closed already\n'
          : `${names.join(', ')}: calls go through again\n`,
      );
      return EXIT.ok;
    }
    io.stdout.write(
      `${safeLine(textOf(circuit['name']))} is ${circuitState(circuit)}: calls go through again\n`,
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

/** Which part of the gateway has the circuit, for its API. */
export function ofQuery(given: Arguments): string {
  const of = readChoice(given, 'of', CIRCUIT_OWNERS);
  return of === undefined ? '' : `?of=${of}`;
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
