import { callable, checkOptions, count, flag, object, oneOf } from '../internal/check-options.ts';
import type { OptionRule } from '../internal/check-options.ts';
import type { AdviceEntry } from './advice-entry.ts';
import { adviceFromData } from './advice-entry.ts';
import type { AdvisorEventListener } from './advisor-event.ts';
import { checkToolSettings } from './classify/tool-settings.ts';
import type { ToolSettings } from './classify/tool-settings.ts';

/** What you know of a tool that its name and its output do not say. */
export interface AdvisedToolSettings extends ToolSettings {
  /**
   * Whether a call that succeeds changes something, so that what failed before may be tried again.
   * @defaultValue guessed: edits, and shell commands that do more than look
   */
  readonly changes?: boolean;
  /**
   * Whether to repeat the same call is its use, as with polling.
   * @defaultValue guessed from its name and command
   */
  readonly mayRepeat?: boolean;
  /**
   * Arguments that change nothing of what a call does.
   * @defaultValue none beyond `thought`, `reasoning` and their kin
   */
  readonly ignoredArguments?: readonly string[];
}

/** When an advisor speaks, and what it says. */
export interface AdvisorOptions {
  /** Failures of one tool in a row from which on there is advice. @defaultValue 2 */
  readonly toolThreshold?: number;
  /** Failures among the last `stepBackWindow` calls that make it time to step back. @defaultValue 5 */
  readonly stepBackFailures?: number;
  /** How many of the last executed calls are looked at. @defaultValue 10 */
  readonly stepBackWindow?: number;
  /** Successes in a row after which the step-back may be shown again. @defaultValue 3 */
  readonly rearmSuccesses?: number;
  /** Whether calls that only repeat what failed are stopped. Turn it on where no person watches. @defaultValue 'off' */
  readonly veto?: 'off' | 'on';
  /** Where the host can speak: on the result, or only before the next call. @defaultValue 'after' */
  readonly speakAt?: 'after' | 'before';
  /** Advice of your own. It replaces the built-in one for the same tool and type. @defaultValue none */
  readonly advice?: readonly AdviceEntry[];
  /** Settings by tool. @defaultValue none */
  readonly tools?: Readonly<Record<string, AdvisedToolSettings>>;
  /** The tools that were offered, to name the nearest when one does not exist. @defaultValue none */
  readonly toolNames?: readonly string[];
  /** Told of advice, vetoes and the advisor's own failures. @defaultValue nobody is told */
  readonly onEvent?: AdvisorEventListener;
}

/** The defaults of everything that has one. */
export const ADVISOR_DEFAULTS: Readonly<
  Required<Omit<AdvisorOptions, 'advice' | 'tools' | 'toolNames' | 'onEvent'>>
> = Object.freeze({
  toolThreshold: 2,
  stepBackFailures: 5,
  stepBackWindow: 10,
  rearmSuccesses: 3,
  veto: 'off',
  speakAt: 'after',
});

const names: OptionRule = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')
    ? undefined
    : 'a list of names';

/** Throws with the path of what is wrong; what it does not throw on is right. */
const entries: OptionRule = (value) => {
  adviceFromData(value);
  return undefined;
};

const settingsByTool: OptionRule = (value) => {
  const expected = object(value);
  if (expected !== undefined) return expected;
  for (const [tool, settings] of Object.entries(value as object) as [string, unknown][]) {
    if (object(settings) !== undefined) return `settings by tool; ${tool} has none`;
    const { changes, mayRepeat, ignoredArguments, ...own } = settings as AdvisedToolSettings;
    const ours = { changes, mayRepeat, ignoredArguments };
    const rules = { changes: flag, mayRepeat: flag, ignoredArguments: names };
    checkOptions(ours, rules, `tools.${tool}`);
    checkToolSettings(own);
  }
  return undefined;
};

const RULES: Readonly<Record<keyof AdvisorOptions, OptionRule>> = {
  toolThreshold: count(1),
  stepBackFailures: count(1),
  stepBackWindow: count(1),
  rearmSuccesses: count(1),
  veto: oneOf('off', 'on'),
  speakAt: oneOf('after', 'before'),
  advice: entries,
  tools: settingsByTool,
  toolNames: names,
  onEvent: callable,
};

/** Throws on an option that does not exist or cannot have its value. */
export function checkAdvisorOptions(options: AdvisorOptions): void {
  checkOptions(options, RULES, 'advisor');
}
