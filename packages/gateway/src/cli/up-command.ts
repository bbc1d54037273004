import { resolve } from 'node:path';
import type { LoadedConfig } from '../config/load-config.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit-codes.ts';
import { upHelp } from './help.ts';
import { Misuse } from './misuse.ts';
import { readLogLevel } from './read-log-level.ts';
import { readStoreFlag } from './read-store-flag.ts';
import { greetingFor, RUN_OPTIONS, withRunOptions } from './run-options.ts';
import { readWholeText } from './read-text.ts';
import { reportProblems } from './report-problems.ts';

/** `holdfast up`: everything that a configuration names, loaded again when it changes. */
export const upCommand: Command = {
  name: 'up',
  help: upHelp,
  options: { config: 'value', store: 'value', log: 'value', ...RUN_OPTIONS },

  async run(given, io) {
    const { values, positionals } = given;
    if (positionals.length > 0) {
      throw new Misuse(
        `expected options only, got ${positionals.join(' ')}; a file goes behind --config`,
      );
    }
    const name = values.get('config') ?? 'holdfast.yaml';
    const level = readLogLevel(given, io.env);
    const store = await readStoreFlag(given, io.env);
    const text = await readWholeText(name, io).catch((error: unknown) => {
      if (!(error instanceof Misuse) || values.has('config')) throw error;
      throw new Misuse(`${error.message}; holdfast init writes one, --config names another`);
    });
    const { loadConfig } = await import('../config/load-config.ts');
    const file = resolve(name);
    const files = new Set<string>();
    const readFile = (path: string): string => {
      files.add(path);
      return readConfigFile(path);
    };
    const load = (read: string, mayBeIdle = false): LoadedConfig => {
      files.clear();
      const loaded = loadConfig(read, { file, env: io.env, readFile }, mayBeIdle);
      if (!loaded.ok) return loaded;
      const own = level === undefined ? {} : { log: { level } };
      const config = withRunOptions(loaded.config, given);
      return { ...loaded, config: { ...config, ...store, ...own } };
    };
    const loaded = load(text, true);
    if (!loaded.ok) {
      await reportProblems(
        loaded.problems.map((problem) => ({ ...problem, file: name })),
        io,
      );
      return EXIT.misuse;
    }
    const { runGateway } = await import('../run-gateway.ts');
    const { watchConfig } = await import('../config/watch-config.ts');
    return runGateway(loaded.config, io, {
      notes: loaded.notes,
      ...greetingFor(given),
      watch: (onConfig, log) =>
        watchConfig({
          file,
          text,
          load: (read) => load(read),
          alsoRead: () => [...files],
          onConfig,
          log,
        }),
    });
  },
};
