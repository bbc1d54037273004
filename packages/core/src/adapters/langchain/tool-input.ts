import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolContext } from '../../call/tool.ts';

/** The arguments of a call: `invoke` takes them alone, or the whole call. */
export function argumentsOf(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { type, args } = input;
  return type === 'tool_call' ? args : input;
}

export function signalOf(config: unknown): AbortSignal | undefined {
  const signal = isRecord(config) ? config['signal'] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}

/** The config of a call, with a signal that is also aborted when the time is up. */
export function withSignal(config: unknown, { signal }: Pick<ToolContext, 'signal'>): object {
  return { ...(isRecord(config) ? config : {}), signal };
}
