import { object } from '../../internal/check-options.ts';
import { guardMethod } from '../guarding/guard-method.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { checkMendOptions, MEND_RULES } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { wrapClient } from '../wire/wrap-client.ts';
import type { WrappableClient } from '../wire/wrap-client.ts';
import { guardSome } from './guard-tools.ts';
import { messagesProtocol } from './messages-protocol.ts';

/** How a wrapped client reads calls and runs tools. */
export interface WrapAnthropicOptions extends MendOptions {
  /** How the tools of `toolRunner` are run; false for as they are. @defaultValue {} */
  readonly guard?: ToolGuardOptions | false;
}

const RULES = {
  ...MEND_RULES,
  guard: (value: unknown): string | undefined =>
    value === false ? undefined : object(value) && 'options, or false',
};

/**
 * A copy of an Anthropic client whose tool calls hold, streamed and whole: calls that a model writes as text
 * are calls, broken ones are mended and checked against the tools, a model whose calls keep failing is told
 * what to do, and the tools of `toolRunner` are guarded.
 */
export function wrapAnthropic<Client extends WrappableClient>(
  client: Client,
  options: WrapAnthropicOptions = {},
): Client {
  checkMendOptions(options, 'wrapAnthropic', RULES);
  const { guard = {}, ...mending } = options;
  const wrapped = wrapClient(client, [messagesProtocol], mending);
  if (guard !== false) guardMethod(wrapped, ['beta', 'messages', 'toolRunner'], guardSome, guard);
  return wrapped;
}
