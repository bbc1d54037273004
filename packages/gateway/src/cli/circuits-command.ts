import type { JsonObject } from '@holdfast/core';
import { countOf, listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import {
  CIRCUIT_COLUMNS,
  circuitRow,
  circuitState,
  circuitStyle,
  compareCircuits,
  lastCalls,
  whyOf,
} from './circuit-row.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { counted, formatDuration, formatMoment } from './format-amount.ts';
import { formatTable } from './format-table.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { circuitsHelp } from './help-operate.ts';
import type { Io } from './io.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { readMoment } from './read-moment.ts';
import { safeJson, safeLine } from './safe-text.ts';
import { stylesFor } from './style.ts';

/** So many that the state above them is still in sight. */
const MOST_CHANGES = 12;
const LONGEST_CHANGE = 'half open → closed'.length;

/** `holdfast circuits`: those of a gateway that runs, or one of them with its history. */
export const circuitsCommand: Command = {
  name: 'circuits',
  help: circuitsHelp,
  options: GATEWAY_OPTIONS,

  async run(given, io) {
    const [name, ...more] = given.positionals;
    if (more.length > 0) {
      throw new Misuse(`expected one circuit, got ${given.positionals.join(' ')}`);
    }
    const address = readGatewayAddress(given, io);
    const path = name === undefined ? '' : `/${encodeURIComponent(name)}`;
    const asked = askGateway(address, `/api/v1/circuits${path}`);
    const answer = await withProgress(io, `asking ${address.origin}`, asked);
    if (given.flags.has('json')) {
      io.stdout.write(`${safeJson(name === undefined ? answer['circuits'] : answer, 2)}\n`);
    } else if (name === undefined) printAll(listOf(answer['circuits']).map(objectOf), io);
    else printOne(answer, io);
    return EXIT.ok;
  },
};

function printAll(circuits: readonly JsonObject[], io: Io): void {
  if (circuits.length === 0) {
    io.stdout.write('There are no circuits yet: each is made by its first call.\n');
    return;
  }
  const styles = stylesFor(io);
  const rows = [...circuits].sort(compareCircuits).map((circuit) => circuitRow(circuit, styles));
  const width = io.stdout.columns ?? Infinity;
  for (const line of formatTable(CIRCUIT_COLUMNS, rows, { width, title: styles.dim })) {
    io.stdout.write(`${line}\n`);
  }
}

/** How it stands for all gateways that share it; nothing where it is not shared. */
function inFleet(circuit: JsonObject): string {
  const fleet = objectOf(circuit['fleet']);
  const state = textOf(fleet['state']).replace('_', ' ');
  if (state === '') return '';
  const replica = textOf(fleet['replica']);
  const calls = counted(countOf(fleet['calls']) ?? 0, 'call');
  const by = replica === '' ? '' : ` by ${replica}`;
  return safeLine(`${state}${by}, ${calls}, ${countOf(fleet['failures']) ?? 0} failed`);
}

function printOne(circuit: JsonObject, io: Io): void {
  const styles = stylesFor(io);
  const window = objectOf(circuit['window']);
  const metrics = objectOf(circuit['metrics']);
  const count = (of: JsonObject, key: string): number => countOf(of[key]) ?? 0;
  const seconds = circuit['retry_after_seconds'];
  const state = circuitState(circuit);
  const until =
    circuit['state'] !== 'open'
      ? ''
      : typeof seconds === 'number'
        ? `, tries again in ${formatDuration(seconds * 1000)}`
        : ', until it is reset';
  const rows = [
    ['state', `${circuitStyle(circuit, styles)(state)}${until}`],
    ['since', formatMoment(readMoment(circuit['since']))],
    ['why', whyOf(circuit)],
    [
      'window',
      `${counted(count(window, 'calls'), 'call')}, ${count(window, 'failures')} failed, ${count(window, 'slow')} slow`,
    ],
    [
      'in all',
      `${counted(count(metrics, 'total_calls'), 'call')}, ${count(metrics, 'failures')} failed, ${count(metrics, 'rejections')} refused`,
    ],
    ['last calls', lastCalls(circuit, 60)],
    ['fleet', inFleet(circuit)],
  ].filter(([, text]) => text !== '');
  io.stdout.write(`${styles.bold(safeLine(textOf(circuit['name'])))}\n`);
  for (const [title = '', text = ''] of rows) {
    io.stdout.write(`  ${styles.dim(title.padEnd(10))}  ${text}\n`);
  }
  const history = listOf(circuit['history']).map(objectOf);
  const last = history.slice(-MOST_CHANGES);
  if (last.length > 0) io.stdout.write(`\n${styles.dim('history')}\n`);
  if (last.length < history.length) {
    const earlier = history.length - last.length;
    io.stdout.write(`  ${styles.dim(`… ${earlier} earlier, which --json prints`)}\n`);
  }
  for (const change of last) io.stdout.write(`  ${changeLine(change)}\n`);
}

function changeLine({ at, from, to, reason, note, replica }: JsonObject): string {
  const states = [from, to].map((each) => textOf(each).replace('_', ' ')).join(' → ');
  const why = [textOf(reason), textOf(note)].filter((part) => part !== '').join(': ');
  const who = textOf(replica) === '' ? '' : `  by ${textOf(replica)}`;
  const said = safeLine(`${states.padEnd(LONGEST_CHANGE)}  ${why}${who}`).trimEnd();
  return `${formatMoment(readMoment(at))}  ${said}`;
}
