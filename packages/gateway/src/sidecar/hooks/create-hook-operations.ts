import { registerToolFallback } from '@holdfast/core';
import type { Clock } from '@holdfast/core';
import { formatAdvisorEvent } from '@holdfast/core/advise';
import { HookRegistry } from '@holdfast/core/hooks';
import type { Logger } from '../../log/logger.ts';
import type { Reporter } from '../../observe/reporter.ts';
import type { Operation } from '../operation.ts';
import { CallRuns } from './call-runs.ts';
import { HookStore } from './hook-store.ts';
import type { PluginSource } from './plugin-source.ts';
import { createToolExecuteAfter } from './tool-execute-after.ts';
import { createToolExecuteBefore } from './tool-execute-before.ts';
import { createToolPostInvoke } from './tool-post-invoke.ts';
import { createToolPreInvoke } from './tool-pre-invoke.ts';

export interface HookOperationsOptions {
  readonly plugins: PluginSource;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told what happens, for those who watch. Default: nobody. */
  readonly report?: Reporter;
}

/** The hooks around tools, and what they keep until it is closed. */
export interface HookOperations {
  readonly operations: readonly Operation[];
  close(): void;
}

/** What agents in any language call before and after their tools. */
export function createHookOperations(options: HookOperationsOptions): HookOperations {
  const { plugins, clock, log, report } = options;
  const runs = new CallRuns(clock);
  const store = new HookStore(clock);
  const hooks = new HookRegistry({
    clock,
    onEvent: (event) => log.warn({ ...event }, 'an extension around tools failed'),
  });
  registerToolFallback(hooks, {
    // The client decides whether to heed it.
    veto: 'on',
    onEvent: (event) => {
      log.debug({}, formatAdvisorEvent(event));
      report?.tell(event);
    },
  });
  return {
    operations: [
      createToolPreInvoke(runs, plugins, report),
      createToolPostInvoke(runs, plugins, report),
      createToolExecuteBefore(hooks, store),
      createToolExecuteAfter(hooks, store, report),
    ],
    close: () => {
      runs.close();
      store.close();
    },
  };
}
