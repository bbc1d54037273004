import type { JsonObject } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../proxy/json/json-fields.ts';
import { askGateway } from './ask-gateway.ts';
import type { Arguments, Command } from './command.ts';
import { confirmServers } from './confirm-servers.ts';
import { cutLine } from './cut-line.ts';
import { EXIT } from './exit-codes.ts';
import { readGatewayAddress } from './gateway-address.ts';
import { toolsHelp } from './help.ts';
import type { Io } from './io.ts';
import { loadMcp } from './load-mcp.ts';
import type { LoadedMcp } from './load-mcp.ts';
import { withProgress } from './progress.ts';
import { readMcpFlags } from './read-mcp-flags.ts';
import { reportProblems } from './report-problems.ts';
import { safeJson, safeText } from './safe-text.ts';
import { stylesFor } from './style.ts';

/** `holdfast tools`: what MCP servers offer, and whether calls are let through. */
export const toolsCommand: Command = {
  name: 'tools',
  help: toolsHelp,
  options: {
    config: 'values',
    yes: 'flag',
    url: 'value',
    token: 'value',
    prefix: 'value',
    json: 'flag',
    log: 'value',
  },

  async run(given, io) {
    const rows = given.values.has('url') ? await rowsOf(given, io) : await ownRows(given, io);
    if (rows === undefined) return EXIT.misuse;
    const { flags } = given;
    if (flags.has('json')) io.stdout.write(`${safeJson(rows.tools, 2)}\n`);
    else print(rows.tools, io);
    for (const { server, reason } of rows.missing) {
      io.stderr.write(`holdfast: ${safeText(`${server} is not there: ${reason}`)}\n`);
    }
    return rows.missing.length > 0 ? EXIT.noServer : EXIT.ok;
  },
};

interface Rows {
  readonly tools: readonly JsonObject[];
  readonly missing: readonly { readonly server: string; readonly reason: string }[];
}

const UNKNOWN_REASON = 'it did not answer in time';

/** Of servers that are started for it: their circuits are new. */
async function ownRows(given: Arguments, io: Io): Promise<Rows | undefined> {
  const loaded = await loadMcp(readMcpFlags(given, io.env), io.env);
  if (!loaded.ok) {
    await reportProblems(loaded.problems, io);
    return undefined;
  }
  await confirmServers(loaded, given, io);
  return withProgress(io, 'starting the servers', startedRows(loaded, given, io));
}

async function startedRows(
  loaded: Extract<LoadedMcp, { ok: true }>,
  given: Arguments,
  io: Io,
): Promise<Rows> {
  const { openToolDesk } = await import('../mcp/open-tool-desk.ts');
  const { quietLogger } = await import('./quiet-logger.ts');
  const { readVersion } = await import('./version.ts');
  const log = await quietLogger(given, loaded.config, io);
  for (const note of loaded.notes) log.info({}, note);
  const desk = await openToolDesk(loaded.config.mcp, {
    env: io.env,
    log,
    version: readVersion(),
  });
  try {
    const tools = await desk.list();
    return {
      tools: tools.map((tool) => ({ ...tool, circuit: 'closed' })),
      missing: Object.entries(desk.servers).flatMap(([server, { state, reason }]) =>
        state === 'connected' ? [] : [{ server, reason: reason ?? UNKNOWN_REASON }],
      ),
    };
  } finally {
    await desk.close();
  }
}

/** Of a gateway that runs. */
async function rowsOf(given: Arguments, io: Io): Promise<Rows> {
  const address = readGatewayAddress(given, io);
  const asked = askGateway(address, '/api/v1/status');
  const status = await withProgress(io, `asking ${address.origin}`, asked);
  const mcp = objectOf(status['mcp']);
  return {
    tools: listOf(mcp['tools']).map(objectOf),
    missing: Object.entries(objectOf(mcp['servers'])).flatMap(([server, about]) => {
      const { state, reason } = objectOf(about);
      if (state === 'connected') return [];
      return [{ server, reason: typeof reason === 'string' ? reason : UNKNOWN_REASON }];
    }),
  };
}

function print(tools: readonly JsonObject[], io: Io): void {
  const { bold, dim, green, yellow } = stylesFor(io);
  const columns = io.stdout.columns ?? Infinity;
  const rows = tools.map(({ name, server, circuit, description }) => ({
    name: safeText(textOf(name)),
    server: safeText(textOf(server)),
    circuit: textOf(circuit),
    description: safeText(textOf(description)).split('\n', 1)[0] ?? '',
  }));
  const width = (of: (row: (typeof rows)[number]) => string): number =>
    Math.max(0, ...rows.map((row) => of(row).length));
  const [names, servers, states] = [
    width(({ name }) => name),
    width(({ server }) => server),
    width(({ circuit }) => circuit),
  ];
  for (const { name, server, circuit, description } of rows) {
    const state = circuit.padEnd(states);
    const head = `${bold(name.padEnd(names))}  ${dim(server.padEnd(servers))}  ${circuit === 'closed' ? green(state) : yellow(state)}`;
    const room = columns - names - servers - states - 6;
    const rest = room > 10 ? `  ${cutLine(description, room)}` : '';
    io.stdout.write(`${head}${rest}`.trimEnd() + '\n');
  }
}
