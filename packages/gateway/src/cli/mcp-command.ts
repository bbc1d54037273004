import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Command } from './command.ts';
import { confirmServers } from './confirm-servers.ts';
import { EXIT } from './exit-codes.ts';
import { mcpHelp } from './help.ts';
import { loadMcp } from './load-mcp.ts';
import { Misuse } from './misuse.ts';
import { MCP_OPTIONS, readMcpFlags } from './read-mcp-flags.ts';
import { readStoreFlag } from './read-store-flag.ts';
import { greetingFor, RUN_OPTIONS, withRunOptions } from './run-options.ts';
import { reportProblems } from './report-problems.ts';

/** `holdfast mcp`: MCP servers behind timeouts, circuits, retries and advice, over pipes or HTTP. */
export const mcpCommand: Command = {
  name: 'mcp',
  help: mcpHelp,
  options: { ...MCP_OPTIONS, ...RUN_OPTIONS },

  async run(given, io) {
    const flags = readMcpFlags(given, io.env);
    if (flags.listen === undefined && given.flags.has('json')) {
      throw new Misuse('--json: expected with --listen only, as standard output is for the client');
    }
    const loaded = await loadMcp(flags, io.env);
    if (!loaded.ok) {
      await reportProblems(loaded.problems, io);
      return EXIT.misuse;
    }
    await confirmServers(loaded, given, io);
    const { notes } = loaded;
    const store = await readStoreFlag(given, io.env);
    const config = { ...loaded.config, ...store };
    // Calls leave much behind that is short-lived: with more room for it, it is cleared away less often.
    setFlagsFromString('--max-semi-space-size=32');
    if (flags.listen === undefined) {
      const { runMcpStdio } = await import('../mcp/run-mcp-stdio.ts');
      return runMcpStdio(config, io, notes);
    }
    const { runGateway } = await import('../run-gateway.ts');
    const { watchConfig } = await import('../config/watch-config.ts');
    const [file, ...others] = loaded.files;
    const load = async (): Promise<LoadedConfig> => {
      const next = await loadMcp(flags, io.env);
      if (!next.ok) return next;
      return { ...next, config: withRunOptions({ ...next.config, ...store }, given) };
    };
    return runGateway(withRunOptions(config, given), io, {
      notes,
      ...greetingFor(given),
      ...(file !== undefined && {
        watch: (onConfig, log) =>
          watchConfig({
            file,
            text: readFileSync(file, 'utf8'),
            load,
            alsoRead: () => others,
            onConfig,
            log,
          }),
      }),
    });
  },
};
