import { InvalidOptionError } from '../../errors.ts';
import { Circuits } from '../../guard/circuits.ts';
import { ENVIRONMENT_RULES } from '../../guard/guard-environment.ts';
import type { GuardEnvironment } from '../../guard/guard-environment.ts';
import { resolveRetryOptions } from '../../guard/retry-options.ts';
import type { RetryOptions } from '../../guard/retry-options.ts';
import { checkOptions, duration, object, text } from '../../internal/check-options.ts';
import type { OptionRule } from '../../internal/check-options.ts';

/** How calls of MCP tools are guarded, on either side. */
export interface McpGuardOptions extends GuardEnvironment {
  /** How long a call may be silent; progress starts the time anew. @defaultValue 60_000 */
  readonly timeoutMs?: number;
  /** The same for single tools, by their names. @defaultValue none */
  readonly toolTimeoutsMs?: Readonly<Record<string, number>>;
  /** How long a call may take in all, with all its attempts. @defaultValue 600_000 */
  readonly maxDurationMs?: number;
  /** Where the circuits live. @defaultValue circuits of its own, with the defaults */
  readonly circuits?: Circuits;
  /** How calls that may be repeated are. Those of other tools never are. @defaultValue {} */
  readonly retry?: RetryOptions | false;
}

/** What both guards do unless told otherwise. */
export const MCP_GUARD_DEFAULTS: Readonly<{ timeoutMs: number; maxDurationMs: number }> =
  Object.freeze({ timeoutMs: 60_000, maxDurationMs: 600_000 });

const timeouts: OptionRule = (value) => {
  if (object(value) !== undefined) return 'milliseconds by tool';
  const wrong = Object.entries(value as object).find(([, ms]) => duration(1)(ms) !== undefined);
  return wrong && `${duration(1)(wrong[1]) ?? ''} for ${wrong[0]}`;
};

export const MCP_GUARD_RULES: Readonly<Record<keyof McpGuardOptions, OptionRule>> = {
  timeoutMs: duration(1),
  toolTimeoutsMs: timeouts,
  maxDurationMs: duration(1),
  circuits: (value) => (value instanceof Circuits ? undefined : 'a Circuits'),
  retry: (value) => (value === false ? undefined : object(value) && 'options, or false'),
  ...ENVIRONMENT_RULES,
};

/** Throws on an option that does not exist or cannot have its value: now, and not with the first call. */
export function checkMcpOptions(
  options: McpGuardOptions,
  rules: Readonly<Record<string, OptionRule>>,
  of: string,
): void {
  checkOptions(options, rules, of);
  const { retry, timeoutMs, maxDurationMs } = { ...MCP_GUARD_DEFAULTS, ...options };
  if (retry !== undefined && retry !== false) resolveRetryOptions(retry);
  if (maxDurationMs < timeoutMs) {
    const expected = `at least timeoutMs, which is ${timeoutMs}`;
    throw new InvalidOptionError(`${of}.maxDurationMs`, expected, maxDurationMs);
  }
}

export const serverName: OptionRule = text;
