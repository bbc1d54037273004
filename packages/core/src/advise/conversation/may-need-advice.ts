import type { AdvisorOptions } from '../advisor-options.ts';
import { natureOf } from '../call-nature.ts';
import { classify } from '../classify/classify.ts';
import { isCounted } from '../is-counted.ts';
import { hashCall } from '../loops/fingerprints.ts';
import type { CallStep } from './conversation-step.ts';
import type { PairedCall, Round } from './pair-calls.ts';
import { toolResult } from './tool-result.ts';

type ToolOptions = Pick<AdvisorOptions, 'tools'>;

/**
 * Whether the last round can call for advice at all: something in it failed, or was called before. Where all
 * goes well this is all that has to be found out, however long the conversation is.
 */
export function mayNeedAdvice(rounds: readonly Round[], options: ToolOptions): boolean {
  const last = rounds.at(-1)?.calls ?? [];
  if (last.some((call) => hasFailed(call, options))) return true;
  const known = new Set(last.map(({ call }) => identityOf(call, options)));
  return rounds
    .slice(0, -1)
    .some(({ calls }) => calls.some(({ call }) => known.has(identityOf(call, options))));
}

function hasFailed({ call, result }: PairedCall, options: ToolOptions): boolean {
  if (result === undefined) return false;
  const {
    changes: _c,
    mayRepeat: _m,
    ignoredArguments: _i,
    ...settings
  } = settingsOf(call, options);
  const given = { arguments: call.arguments, ...toolResult(call.tool, result) };
  return isCounted(classify(given, settings));
}

/** The same for calls that the advisor takes for the same. */
function identityOf(step: CallStep, options: ToolOptions): string {
  const { ignoredArguments = [], ...known } = settingsOf(step, options);
  const call = { tool: step.tool, arguments: step.arguments };
  return hashCall(call, natureOf(call, known).kind, ignoredArguments);
}

type Settings = NonNullable<AdvisorOptions['tools']>[string];

function settingsOf({ tool }: CallStep, { tools }: ToolOptions): Settings {
  return tools !== undefined && Object.hasOwn(tools, tool) ? (tools[tool] ?? {}) : {};
}
