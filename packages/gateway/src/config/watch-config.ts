import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@holdfast/core';
import { systemClock } from '@holdfast/core/guard';
import type { Logger } from '../log/logger.ts';
import { formatConfigProblem } from './config-problem.ts';
import type { GatewayConfig } from './gateway-config.ts';
import type { LoadedConfig } from './load-config.ts';
import { watchFolder } from './watch-folder.ts';

export interface WatchConfigOptions {
  readonly file: string;
  /** What the file said when it was read first. */
  readonly text: string;
  readonly load: (text: string) => LoadedConfig;
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
 * Tells of new configurations while the file changes. One that is wrong is logged, and the old one stays. The
 * folder is watched and not the file, as editors put a new file in the place of the old one, and mounted
 * configurations are links that are exchanged.
 */
export function watchConfig(options: WatchConfigOptions): ConfigWatch {
  const { file, load, onConfig, log, clock = systemClock } = options;
  let known = options.text;
  let cancel: (() => void) | undefined;

  const read = (isAsked: boolean): void => {
    cancel?.();
    cancel = undefined;
    let text;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      // Between two steps of an editor there may be no file; the next step is seen too.
      const reason = error instanceof Error ? error.message : String(error);
      log.warn({ file }, `cannot read ${file}, the configuration stays as it was: ${reason}`);
      return;
    }
    if (text === known && !isAsked) return;
    known = text;
    const loaded = load(text);
    if (loaded.ok) {
      for (const note of loaded.notes) log.info({}, note);
      onConfig(loaded.config);
      return;
    }
    for (const problem of loaded.problems) {
      const { line, path } = problem;
      log.error({ file, line, path }, formatConfigProblem(problem));
    }
    log.error({ file }, 'the configuration stays as it was');
  };

  const onChange = (): void => {
    cancel ??= clock.setTimer(() => read(false), SETTLE_MS, true);
  };
  const close = watchFolder(dirname(file), onChange, (reason) =>
    log.warn({ file }, `changes of ${file} are not seen, send SIGHUP to load it: ${reason}`),
  );
  return {
    reload: () => read(true),
    close: () => {
      cancel?.();
      close();
    },
  };
}
