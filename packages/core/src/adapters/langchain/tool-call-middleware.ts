import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';
import { InvalidOptionError } from '../../errors.ts';
import { Circuits } from '../../guard/circuits.ts';
import { object } from '../../internal/check-options.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { outcomeText } from '../guarding/outcome-text.ts';
import { ToolGuard } from '../guarding/tool-guard.ts';
import type { ToolGuardOptions } from '../guarding/tool-settings.ts';
import { checkMendOptions, MEND_RULES } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { Bubble } from './bubble.ts';
import { FailedMessage } from './failed-message.ts';
import { signalOf, withSignal } from './tool-input.ts';
import { wrapChatModel } from './wrap-chat-model.ts';
import type { ChatModelLike } from './wrap-chat-model.ts';

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
  readonly toolCall: { readonly name: string; readonly args: object };
  readonly tool: object | undefined;
  readonly runtime: object;
}

/** What `createMiddleware` of `langchain` takes. */
export interface ToolCallHooks {
  readonly name: string;
  readonly wrapModelCall: <Request extends ModelRequestLike, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ) => Promise<Answer>;
  readonly wrapToolCall: <Request extends ToolRequestLike, Answer>(
    request: Request,
    handler: (request: Request) => Answer | Promise<Answer>,
  ) => Promise<Answer>;
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
  const models = new WeakMap<object, object>();
  const guards = guard === false ? undefined : new ToolGuards(guard);
  return {
    name: 'Holdfast',
    wrapModelCall: async (request, handler) => {
      const { model } = request;
      const known = models.get(model) ?? wrapChatModel(model as ChatModelLike & typeof model, mend);
      models.set(model, known);
      return handler({ ...request, model: known });
    },
    wrapToolCall: async (request, handler) => {
      const { tool, toolCall } = request;
      // Who calls a tool that nobody knows is told so by the agent.
      if (guards === undefined || !isTool(tool)) return handler(request);
      return guards.run(toolCall.name, request, tool, handler);
    },
  };
}

interface InvokableTool {
  readonly invoke: (...args: never[]) => unknown;
}

function isTool(tool: object | undefined): tool is InvokableTool {
  return isRecord(tool) && isFunction(tool['invoke']);
}

/** A guard for each tool, made when it is first called. */
class ToolGuards {
  readonly #options: ToolGuardOptions;
  readonly #guards = new Map<string, ToolGuard>();

  constructor(options: ToolGuardOptions) {
    const { clock, random, onEvent, circuits, toolSettings = {} } = options;
    const environment = { ...(clock && { clock }), ...(random && { random }), onEvent };
    this.#options = { ...options, circuits: circuits ?? new Circuits(environment) };
    // What is wrong with the options shows now, and not in the middle of a conversation.
    const expected = object(toolSettings);
    if (expected !== undefined)
      throw new InvalidOptionError('toolCallMiddleware.guard.toolSettings', expected, toolSettings);
    this.#guardOf('');
  }

  async run<Request extends ToolRequestLike, Answer>(
    name: string,
    request: Request,
    tool: InvokableTool & object,
    handler: (request: Request) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const with_ = (
      invoke: (input: unknown, config: unknown) => unknown,
    ): Answer | Promise<Answer> => handler({ ...request, tool: cloneWith(tool, { invoke }) });
    const outcome = await this.#guardOf(name).run(
      name,
      request.toolCall.args,
      (context) =>
        Bubble.catch(async () => {
          const invoke = (input: unknown, config: unknown): unknown =>
            callFunction(tool.invoke, tool, [input, withSignal(config, context)]);
          return FailedMessage.from(await with_(invoke));
        }),
      signalOf(request.runtime),
    );
    if (outcome.ok || 'value' in outcome) return answerOf(outcome) as Answer;
    if (outcome.failure.class === 'cancelled') throw outcome.failure.cause;
    // The agent makes a message of what a tool returns: here, of what there is to say.
    const message = await with_(() => Promise.resolve(outcomeText(outcome)));
    if (isRecord(message)) Object.assign(message, { status: 'error' });
    return message;
  }

  #guardOf(name: string): ToolGuard {
    const known = this.#guards.get(name);
    if (known !== undefined) return known;
    const { toolSettings = {}, ...options } = this.#options;
    const settings = Object.hasOwn(toolSettings, name) ? toolSettings[name] : undefined;
    const own = settings === undefined ? {} : { toolSettings: { [name]: settings } };
    const made = new ToolGuard([{ name }], { ...options, ...own });
    if (name !== '') this.#guards.set(name, made);
    return made;
  }
}

/** What the tool answered, with the advice that there is. */
function answerOf({ value, advice }: { value?: unknown } & Pick<ToolOutcome, 'advice'>): unknown {
  const answer = FailedMessage.release(Bubble.release(value));
  if (advice !== undefined && isRecord(answer) && typeof answer['content'] === 'string')
    Object.assign(answer, { content: `${answer['content']}\n\n${advice.text}` });
  return answer;
}
