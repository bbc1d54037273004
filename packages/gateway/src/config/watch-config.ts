import { dirname } from 'node:path';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import { formatConfigProblem } from './config-problem.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { LoadedConfig } from './load-config.ts';
import { readConfigFile } from './read-config-file.ts';
import { watchFolder } from './watch-folder.ts';

export interface WatchConfigOptions {
  readonly file: string;
  /** What the file said when it was read first. */
  readonly text: string;
  readonly load: (text: string) => LoadedConfig | Promise<LoadedConfig>;
  /** Other files that the last load read, such as a `.mcp.json`; they are followed too. Default: none. */
  readonly alsoRead?: () => readonly string[];
  readonly onConfig: (config: GatewayConfig) => void;
  readonly log: Logger;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export interface ConfigWatch {
  /** Reads the file now, whether it has changed or not. */
  reload(): void;
  close(): void;
}

/** An editor writes a file in several steps; it is read when they are over. */
const SETTLE_MS = 100;

/**
 * Calls `onConfig` with new configurations while the files change. One that is wrong is logged, and the old one
 * stays. The folders are watched and not the files, as editors replace files, and mounted configurations are links.
 */
export function watchConfig(options: WatchConfigOptions): ConfigWatch {
  const { file, load, onConfig, log, clock = systemClock, alsoRead = () => [] } = options;
  let known = versionOf(options.text, alsoRead());
  let cancel: (() => void) | undefined;
  let loads = 0;
  const folders = new Map<string, () => void>();

  const apply = (loaded: LoadedConfig): void => {
    follow();
    if (loaded.ok) {
      for (const note of loaded.notes) log.info({}, note);
      onConfig(loaded.config);
      return;
    }
    for (const problem of loaded.problems) {
      const { line, path } = problem;
      log.error({ file: problem.file, line, path }, formatConfigProblem(problem));
    }
    log.error({ file }, 'the configuration stays as it was');
  };

  const read = (isAsked: boolean): void => {
    cancel?.();
    cancel = undefined;
    let text;
    try {
      text = readConfigFile(file);
    } catch (error) {
      // Between two steps of an editor there may be no file; the next step is seen too.
      log.warn(
        { file },
        `cannot read ${file}, the configuration stays as it was: ${reasonOf(error)}`,
      );
      return;
    }
    const version = versionOf(text, alsoRead());
    if (version === known && !isAsked) return;
    known = version;
    const loaded = load(text);
    if (!(loaded instanceof Promise)) {
      known = versionOf(text, alsoRead());
      apply(loaded);
      return;
    }
    const own = ++loads;
    loaded.then(
      (config) => {
        if (own !== loads) return;
        known = versionOf(text, alsoRead());
        apply(config);
      },
      (error: unknown) =>
        log.error({ file }, `the configuration stays as it was: ${reasonOf(error)}`),
    );
  };

  const onChange = (): void => {
    cancel ??= clock.setTimer(() => read(false), SETTLE_MS, true);
  };
  /** Watches the folders of all files, and no others. */
  const follow = (): void => {
    const wanted = new Set([file, ...alsoRead()].map((path) => dirname(path)));
    for (const [folder, close] of folders) {
      if (wanted.has(folder)) continue;
      folders.delete(folder);
      close();
    }
    for (const folder of wanted) {
      if (folders.has(folder)) continue;
      const close = watchFolder(folder, onChange, (reason) =>
        log.warn(
          { folder },
          `changes in ${folder} are not seen, send SIGHUP to load it: ${reason}`,
        ),
      );
      folders.set(folder, close);
    }
  };
  follow();
  return {
    reload: () => read(true),
    close: () => {
      cancel?.();
      loads++;
      for (const close of folders.values()) close();
    },
  };
}

/** Changes with the content of any of the files. */
function versionOf(text: string, others: readonly string[]): string {
  const contents = others.map((path) => {
    try {
      return readConfigFile(path);
    } catch {
      return null;
    }
  });
  return JSON.stringify([text, ...contents]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
