import type { ToolContext } from '../../call/tool.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { ToolRunner } from '../../call/tool-runner.ts';
import { isRecord } from '../../advise/conversation/record.ts';
import { callId } from '../../internal/random.ts';
import type { JsonObject } from '../../types.ts';
import type { ToolGuardOptions } from './tool-settings.ts';

type Work = (context: ToolContext) => unknown;

/** A tool that is to be guarded. */
export interface GuardedName {
  readonly name: string;
  /** False for a tool whose values were seen before it failed. @defaultValue as the options say */
  readonly retry?: false;
}

/** Runs tools of an SDK behind timeout, circuit and retry: the SDK's own arguments never leave its hands. */
export class ToolGuard {
  readonly #runner: ToolRunner;
  /** What running calls do, by their ids; arguments of an SDK need not be JSON. */
  readonly #works = new Map<string, Work>();

  constructor(tools: readonly GuardedName[], options: ToolGuardOptions) {
    const { toolSettings = {}, ...runnerOptions } = options;
    this.#runner = new ToolRunner({
      ...runnerOptions,
      check: false,
      tools: tools.map(({ name, ...own }) => ({
        ...toolSettings[name],
        ...own,
        name,
        execute: (_args, context) => this.#works.get(context.callId)?.(context),
      })),
    });
  }

  /** Does the work of a call. Never throws and never rejects: what fails is in the outcome. */
  async run(
    name: string,
    args: unknown,
    work: Work,
    signal: AbortSignal | undefined,
  ): Promise<ToolOutcome> {
    const id = callId();
    const about = { format: 'code', repairs: [], complete: true, lossy: false };
    this.#works.set(id, work);
    try {
      return await this.#runner.run({ id, name, arguments: jsonOf(args), ...about }, { signal });
    } finally {
      this.#works.delete(id);
    }
  }
}

/** The arguments as an advisor looks at them. */
function jsonOf(args: unknown): JsonObject {
  return isRecord(args) ? (args as JsonObject) : { input: String(args) };
}
