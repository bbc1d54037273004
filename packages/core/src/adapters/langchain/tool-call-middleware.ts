import { isRecord } from '../../advise/conversation/record.ts';
import { object } from '../../internal/check-options.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { outcomeText } from '../guarding/outcome-text.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { checkMendOptions, MEND_RULES } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { answerOf, invokeGuarded, isInvokable } from './invokable-tool.ts';
import { remake, typeOf } from './lc-message.ts';
import { ToolGuards } from './tool-guards.ts';
import { wrapRunnable } from './wrap-chat-model.ts';

/** How the middleware reads and mends calls, and guards tools. */
export interface ToolCallMiddlewareOptions extends MendOptions {
  /** How tools are run; false to leave that to the agent. @defaultValue {} */
  readonly guard?: ToolGuardOptions | false;
}

/** What an agent asks of its model. */
export interface ModelRequestLike {
  readonly model: object;
}

/** What an agent asks of a tool. */
export interface ToolRequestLike {
  readonly toolCall: { readonly name: string };
  readonly tool: object | undefined;
}

type WrapModelCall = <Request extends ModelRequestLike, Answer>(
  request: Request,
  handler: (request: Request) => Answer | Promise<Answer>,
) => Promise<Answer>;

type WrapToolCall = <Request extends ToolRequestLike, Answer>(
  request: Request,
  handler: (request: Request) => Answer | Promise<Answer>,
) => Promise<Answer>;

/** What `createMiddleware` of `langchain` takes. */
export interface ToolCallHooks {
  readonly name: string;
  readonly wrapModelCall: WrapModelCall;
  /** Not there where tools are left to the agent. */
  readonly wrapToolCall?: WrapToolCall;
}

/**
 * Makes the tool calls of an agent hold, for `createMiddleware(toolCallMiddleware())`: its model is wrapped as
 * `wrapChatModel` does, its tools are guarded, and what fails is a message that tells the model what to do.
 */
export function toolCallMiddleware(options: ToolCallMiddlewareOptions = {}): ToolCallHooks {
  const { guard = {}, ...mend } = options;
  checkMendOptions(options, 'toolCallMiddleware', {
    ...MEND_RULES,
    guard: (value) => (value === false ? undefined : object(value) && 'options, or false'),
  });
  const models = new WeakMap<object, unknown>();
  const guards = guard === false ? undefined : new ToolGuards(guard, 'toolCallMiddleware.guard');
  return {
    name: 'Holdfast',
    wrapModelCall: async (request, handler) => {
      const { model } = request;
      const known = models.get(model) ?? wrapRunnable(model, mend);
      models.set(model, known);
      return handler({ ...request, model: known });
    },
    // An agent whose tool calls anybody wraps ends with the first that fails.
    ...(guards !== undefined && { wrapToolCall: guarding(guards) }),
  };
}

const guarding =
  (guards: ToolGuards): WrapToolCall =>
  async (request, handler) => {
    const { tool, toolCall } = request;
    // Who calls a tool that nobody knows is told so by the agent.
    if (!isInvokable(tool)) return handler(request);
    const { name } = toolCall;
    const run = { isFailed: false };
    const invoke = async (...given: [input: unknown, config: unknown]): Promise<unknown> => {
      const outcome = await invokeGuarded(guards.of(name), name, tool, given);
      run.isFailed = !outcome.ok;
      if (outcome.ok || 'value' in outcome) return answerOf(outcome);
      if (outcome.failure.class === 'cancelled') throw outcome.failure.cause;
      // An agent ends with what is thrown here. It makes a message of a text.
      return outcomeText(outcome);
    };
    const answer = await handler({ ...request, tool: cloneWith(tool, { invoke }) });
    return run.isFailed ? (asFailed(answer) as typeof answer) : answer;
  };

/** A message with what went wrong, as one that says so. */
function asFailed(answer: unknown): unknown {
  if (!isRecord(answer) || typeOf(answer) !== 'tool') return answer;
  return remake(answer, { status: 'error' });
}
