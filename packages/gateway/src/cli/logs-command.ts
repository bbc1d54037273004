import type { JsonObject } from '@holdfast/core';
import { formatLogLine } from '../log/format-log-line.ts';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { GATEWAY_OPTIONS, readGatewayAddress } from './gateway-address.ts';
import { logsHelp } from './help-operate.ts';
import { Misuse } from './misuse.ts';
import { printEvents } from './print-events.ts';
import { withProgress } from './progress.ts';
import { readMoment } from './read-moment.ts';
import { safeJson } from './safe-text.ts';
import type { Styles } from './style.ts';
import { stylesFor } from './style.ts';

const USUAL_LINES = 200;
/** More are not kept. */
const MOST_LINES = 1000;

/** `holdfast logs`: the last lines of a gateway's log, and those to come. */
export const logsCommand: Command = {
  name: 'logs',
  help: logsHelp,
  options: { follow: 'flag', lines: 'value', ...GATEWAY_OPTIONS },

  async run(given, io) {
    if (given.positionals.length > 0) {
      throw new Misuse(`expected options only, got ${given.positionals.join(' ')}`);
    }
    const limit = readLines(given);
    const address = readGatewayAddress(given, io);
    const styles = stylesFor(io);
    const format = (line: JsonObject): string =>
      given.flags.has('json') ? safeJson(line) : formatLine(line, styles);
    const last = async (): Promise<readonly JsonObject[]> =>
      listOf((await askGateway(address, `/api/v1/logs?limit=${limit}`))['lines']).map(objectOf);
    if (!given.flags.has('follow')) {
      for (const line of await withProgress(io, `asking ${address.origin}`, last())) {
        io.stdout.write(`${format(line)}\n`);
      }
      return EXIT.ok;
    }
    const seen = new SeenLines();
    await printEvents(address, io, {
      path: '/api/v1/events?types=log&logs=1',
      lost: 'logs-lost',
      // The last lines are asked for once those to come are on their way, so that none is left out in between.
      format: async ({ type, data }) => {
        const lines =
          type === 'hello' ? await last().catch(() => []) : type === 'log' ? [data] : [];
        const fresh = lines.filter((line) => seen.isNew(line));
        return fresh.length === 0 ? undefined : fresh.map(format).join('\n');
      },
    });
    return EXIT.ok;
  },
};

/** Lines that were printed, as some come twice where a connection begins. */
class SeenLines {
  readonly #lines = new Set<string>();

  isNew(line: JsonObject): boolean {
    const text = JSON.stringify(line);
    if (this.#lines.has(text)) return false;
    this.#lines.add(text);
    for (const oldest of this.#lines) {
      if (this.#lines.size <= 2 * MOST_LINES) break;
      this.#lines.delete(oldest);
    }
    return true;
  }
}

function readLines({ values }: Arguments): number {
  const written = values.get('lines');
  if (written === undefined) return USUAL_LINES;
  const lines = Number(written);
  if (/^\d{1,4}$/.test(written) && lines >= 1 && lines <= MOST_LINES) return lines;
  throw new Misuse(`--lines: expected a whole number from 1 to ${MOST_LINES}, got "${written}"`);
}

/** As the gateway itself shows it on a terminal. */
function formatLine(line: JsonObject, { red, yellow, dim }: Styles): string {
  const { at, level, message, fields } = line;
  const moment = readMoment(at);
  const time = Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
  const text = formatLogLine(JSON.stringify({ time, level, msg: message, ...objectOf(fields) }));
  const styles: Readonly<Record<string, typeof red>> = { error: red, warn: yellow, debug: dim };
  return (styles[textOf(level)] ?? ((plain: string) => plain))(text);
}
