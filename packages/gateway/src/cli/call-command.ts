import type { JsonObject } from '@holdfast/core';
import type { McpConfig } from '../mcp/mcp-config.ts';
import type { ToolDesk } from '../mcp/open-tool-desk.ts';
import type { Arguments, Command } from './command.ts';
import { confirmServers } from './confirm-servers.ts';
import { EXIT } from './exit-codes.ts';
import { callHelp } from './help.ts';
import type { Io } from './io.ts';
import { loadMcp } from './load-mcp.ts';
import { Misuse } from './misuse.ts';
import { didYouMean } from './nearest.ts';
import { withProgress } from './progress.ts';
import { readCallArguments } from './read-call-arguments.ts';
import { readMcpFlags } from './read-mcp-flags.ts';
import { reportProblems } from './report-problems.ts';
import { safeJson, safeText } from './safe-text.ts';
import { textOfResult } from './text-of-result.ts';

/** `holdfast call`: one tool of an MCP server, called as a model would have it called. */
export const callCommand: Command = {
  name: 'call',
  help: callHelp,
  options: {
    config: 'values',
    yes: 'flag',
    json: 'value',
    raw: 'flag',
    timeout: 'value',
    plugins: 'value',
    'no-check': 'flag',
    'no-advice': 'flag',
    log: 'value',
  },

  async run(given, io) {
    const { positionals, behindDashes } = given;
    const own = positionals.slice(0, positionals.length - (behindDashes?.length ?? 0));
    const [server, tool, words] =
      behindDashes === undefined
        ? [own[0], own[1], own.slice(2)]
        : [undefined, own[0], own.slice(1)];
    if (tool === undefined) {
      throw new Misuse('expected a server and a tool, or a tool and a command behind --');
    }
    const loaded = await loadMcp(
      readMcpFlags({ ...given, positionals: behindDashes ?? [] }, io.env),
      io.env,
    );
    if (!loaded.ok) {
      await reportProblems(loaded.problems, io);
      return EXIT.misuse;
    }
    const mcp = onlyServer(loaded.config.mcp, server);
    await confirmServers({ ...loaded, config: { ...loaded.config, mcp } }, given, io);
    const { openToolDesk } = await import('../mcp/open-tool-desk.ts');
    const { quietLogger } = await import('./quiet-logger.ts');
    const { readVersion } = await import('./version.ts');
    const log = await quietLogger(given, loaded.config, io);
    for (const note of loaded.notes) log.info({}, note);
    const opened = openToolDesk(mcp, { env: io.env, log, version: readVersion() });
    const desk = await withProgress(io, 'starting the server', opened);
    try {
      return await call(desk, tool, words, given, io);
    } finally {
      await desk.close();
    }
  },
};

/** Other servers need not be started. */
function onlyServer(config: McpConfig, name: string | undefined): McpConfig {
  if (name === undefined) return config;
  const servers = config.servers.filter((server) => server.name === name);
  const names = config.servers.map((server) => server.name);
  if (servers.length > 0) return { ...config, servers, prefix: 'never' };
  throw new Misuse(
    `unknown server "${name}"; expected one of ${names.join(', ')}${didYouMean(name, names)}`,
  );
}

async function call(
  desk: ToolDesk,
  tool: string,
  words: readonly string[],
  given: Arguments,
  io: Io,
): Promise<number> {
  const tools = await withProgress(io, 'starting the server', desk.list());
  for (const [server, { state, reason }] of Object.entries(desk.servers)) {
    if (state === 'connected') continue;
    io.stderr.write(
      `holdfast: ${safeText(`${server}: ${reason ?? 'it did not answer in time'}`)}\n`,
    );
    return EXIT.noServer;
  }
  const found = await desk.find(tool);
  if (found === undefined) {
    const names = tools.map(({ name }) => name);
    throw new Misuse(
      `unknown tool "${tool}"; expected one of ${names.join(', ')}${didYouMean(tool, names)}`,
    );
  }
  const args = readCallArguments(words, found.tool.inputSchema, given.values.get('json'));
  const controller = new AbortController();
  const ignore = io.onSignal('SIGINT', () => controller.abort(new Error('interrupted')));
  let result: JsonObject;
  try {
    const called = desk.call(tool, args, controller.signal);
    result = await withProgress(io, `calling ${tool}`, called);
  } catch (error) {
    io.stderr.write(
      `holdfast: ${safeText(error instanceof Error ? error.message : String(error))}\n`,
    );
    return EXIT.toolFailed;
  } finally {
    ignore();
  }
  io.stdout.write(given.flags.has('raw') ? `${safeJson(result, 2)}\n` : textOfResult(result));
  return result['isError'] === true ? EXIT.toolFailed : EXIT.ok;
}
