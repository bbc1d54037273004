import { object } from '../../internal/check-options.ts';
import { guardMethod } from '../guarding/guard-method.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { checkMendOptions, MEND_RULES } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { wrapClient } from '../wire/wrap-client.ts';
import type { WrappableClient } from '../wire/wrap-client.ts';
import { chatProtocol } from './chat/chat-protocol.ts';
import { guardSome } from './guard-tools.ts';
import { responsesProtocol } from './responses/responses-protocol.ts';

/** How a wrapped client reads calls and runs tools. */
export interface WrapOpenAIOptions extends MendOptions {
  /** How the functions of `runTools` are run; false for as they are. @defaultValue {} */
  readonly guard?: ToolGuardOptions | false;
}

const RULES = {
  ...MEND_RULES,
  guard: (value: unknown): string | undefined =>
    value === false ? undefined : object(value) && 'options, or false',
};

/**
 * A copy of an OpenAI client whose tool calls hold, in Chat Completions and Responses, streamed and whole:
 * calls that a model writes as text are calls, broken ones are mended and checked against the tools, a model
 * whose calls keep failing is told what to do, and the tools of `runTools` are guarded.
 */
export function wrapOpenAI<Client extends WrappableClient>(
  client: Client,
  options: WrapOpenAIOptions = {},
): Client {
  checkMendOptions(options, 'wrapOpenAI', RULES);
  const { guard = {}, ...mending } = options;
  const wrapped = wrapClient(client, [chatProtocol, responsesProtocol], mending);
  if (guard !== false) guardMethod(wrapped, ['chat', 'completions', 'runTools'], guardSome, guard);
  return wrapped;
}
