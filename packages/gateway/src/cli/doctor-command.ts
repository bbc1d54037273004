import { HOST_NAMES } from '../agents/host-name.ts';
import { readUpstreamUrl } from '../config/read-upstream-url.ts';
import { maskUrl, Redactor, redactValue } from '../redact/redactor.ts';
import type { DoctorReport, Verdict } from '../doctor/doctor-report.ts';
import type { Arguments, Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { doctorHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { withProgress } from './progress.ts';
import { PLACE_OPTIONS } from './read-install-context.ts';
import { safeJson } from './safe-text.ts';
import { stylesFor } from './style.ts';
import { upstreamHint } from './upstream-hint.ts';

const DEFAULT_TIMEOUT_SECONDS = 120;

/** Of a server that is asked, and no agent. */
const SERVER_OPTIONS = ['upstream', 'model', 'api-key', 'timeout'];

const EXITS: Readonly<Record<Verdict, number>> = {
  native: EXIT.ok,
  mended: EXIT.ok,
  text: EXIT.ok,
  prompted: EXIT.ok,
  'no-calls': EXIT.noCalls,
  refused: EXIT.noServer,
  unreachable: EXIT.noServer,
};

/** `holdfast doctor`: what a model server does with tool calls, or whether the hooks of an agent work. */
export const doctorCommand: Command = {
  name: 'doctor',
  help: doctorHelp,
  options: {
    upstream: 'value',
    model: 'value',
    'api-key': 'value',
    timeout: 'value',
    ...PLACE_OPTIONS,
    json: 'flag',
  },

  async run(given, io) {
    const { flags, values, positionals } = given;
    if (positionals.length > 0) {
      const other = SERVER_OPTIONS.find((name) => values.has(name));
      if (other !== undefined) {
        throw new Misuse(`expected an agent or --${other}, got both: ${positionals.join(' ')}`);
      }
      const hint = upstreamHint('doctor', positionals);
      if (hint !== '')
        throw new Misuse(`expected an agent, got ${positionals.map(maskUrl).join(' ')}${hint}`);
      const { doctorHost } = await import('./doctor-host.ts');
      return doctorHost(given, io);
    }
    const place = Object.keys(PLACE_OPTIONS).find((name) => flags.has(name) || values.has(name));
    if (place !== undefined) throw new Misuse(`--${place}: expected with an agent only`);
    const written = values.get('upstream') ?? io.env['HOLDFAST_UPSTREAM'] ?? '';
    if (written === '') {
      const url = 'expected a URL such as http://127.0.0.1:1234/v1';
      throw new Misuse(`--upstream is missing; ${url}, or an agent: ${HOST_NAMES.join(', ')}`);
    }
    const address = readUpstreamUrl(written);
    if (!address.ok) throw new Misuse(`--upstream: expected ${address.expected}`);
    const variable = io.env['HOLDFAST_API_KEY'] ?? '';
    const apiKey = values.get('api-key') ?? (variable === '' ? address.apiKey : variable);
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
      throw new Misuse('--api-key: expected plain characters without spaces or line breaks');
    }
    const model = values.get('model');
    const timeoutMs = readTimeout(given) * 1000;
    for (const note of address.notes) io.stderr.write(`holdfast: ${note}\n`);

    const { runDoctor } = await import('../doctor/run-doctor.ts');
    const { formatReport } = await import('../doctor/format-report.ts');
    const asked = runDoctor({
      url: address.url,
      timeoutMs,
      ...(model === undefined ? {} : { model }),
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    // Servers quote the key they refuse, and models repeat what they were given.
    const { text: mask } = new Redactor(apiKey === undefined ? [] : [apiKey]);
    const found = await withProgress(io, `asking ${address.url}`, asked);
    const safe = redactValue(found, mask) as DoctorReport;
    // Only the first command repeats what the server said; the others have `API_KEY=any` in them.
    const commands = [...safe.commands.slice(0, 1), ...found.commands.slice(1)];
    const report = { ...safe, commands };
    const text = flags.has('json')
      ? `${safeJson(report, 2)}\n`
      : formatReport(report, stylesFor(io));
    io.stdout.write(text);
    return EXITS[report.verdict];
  },
};

function readTimeout({ values }: Arguments): number {
  const written = values.get('timeout');
  if (written === undefined) return DEFAULT_TIMEOUT_SECONDS;
  const seconds = Number(written);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  throw new Misuse(`--timeout: expected seconds from 1 to 3600, got "${written}"`);
}
