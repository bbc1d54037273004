import { isRecord, recordIn, recordsIn, textIn } from '../../advise/conversation/record.ts';
import type { UnknownRecord } from '../../advise/conversation/record.ts';
import { InvalidOptionError } from '../../errors.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import type { AnyFunction } from '../guarding/call-function.ts';
import { cloneWith } from '../guarding/clone-with.ts';
import { AnswerReader } from '../reading/answer-reader.ts';
import { checkMendOptions } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { requiresJson } from '../reading/requires-json.ts';
import { answerBrokeOff } from '../wire/answer-broke-off.ts';
import { adviseMessages } from './advise-lc-messages.ts';
import { ChunkMender } from './chunk-mender.ts';
import { ContentReader } from './content-reader.ts';
import { mendGeneration } from './mend-generation.ts';
import { quietRunManager, tellToken } from './quiet-run-manager.ts';
import { toolsIn } from './tools-in.ts';

/** A chat model of LangChain: an integration, or what `initChatModel` gives. */
export interface ChatModelLike {
  _generate(...args: never[]): Promise<object>;
}

/** Models that are wrapped already. */
const wrapped = new WeakSet();

/**
 * The model with tool calls that hold: those it writes as text are calls, broken ones are mended and checked
 * against the tools, one that breaks off is none, and where calls keep failing the model is told what to do.
 * Streams tell the same. What is bound to it later, such as tools, leaves it wrapped.
 */
export function wrapChatModel<Model extends ChatModelLike>(
  model: Model,
  options: MendOptions = {},
): Model {
  checkMendOptions(options, 'wrapChatModel');
  if (!isChatModel(model))
    throw new InvalidOptionError(
      'wrapChatModel',
      'a chat model, before anything is bound to it',
      model,
    );
  return wrapped.has(model) ? model : wrap(model, options);
}

/**
 * The same for what a chat model can be inside of: what is bound to one, and a sequence that begins with one.
 * Everything else is left as it is.
 */
export function wrapRunnable(runnable: unknown, options: MendOptions): unknown {
  if (!isRecord(runnable) || wrapped.has(runnable)) return runnable;
  if (isChatModel(runnable)) return wrap(runnable, options);
  for (const part of ['bound', 'first']) {
    const inner = runnable[part];
    const own = wrapRunnable(inner, options);
    if (own !== inner) return cloneWith(runnable, { [part]: own });
  }
  return runnable;
}

function wrap<Model extends object>(model: Model, options: MendOptions): Model {
  const mending = new ModelMending(model, options);
  const proxy: Model = new Proxy(model, {
    get(target, key, receiver) {
      const value: unknown = Reflect.get(target, key, receiver);
      if (typeof key !== 'string' || !isFunction(value)) return value;
      switch (key) {
        case '_generate':
          return mending.generate;
        case '_streamResponseChunks':
          // A model that cannot stream says so by having none of its own.
          return baseMethod(target, key) === value ? value : mending.stream;
        case '_streamChatModelEvents':
          // One that streams events by itself would tell what is not mended.
          return baseMethod(target, key) ?? value;
        // The model that `initChatModel` asks, in LangChain 1 and before it.
        case '_getModelInstance':
        case '_model':
          return async (...args: unknown[]) =>
            wrapRunnable(await callFunction(value, target, args), options);
        case 'bindTools':
        case 'withConfig':
        case 'withStructuredOutput':
        case 'bind':
          // Some integrations make a new model of what is bound; others bind this one.
          return (...args: unknown[]) => wrapRunnable(callFunction(value, proxy, args), options);
        default:
          return value;
      }
    },
  });
  wrapped.add(proxy);
  return proxy;
}

function isChatModel(value: unknown): value is object {
  return typeof value === 'object' && value !== null && isFunction(Reflect.get(value, '_generate'));
}

/** The method as LangChain's own base class has it. */
function baseMethod(model: object, name: string): AnyFunction | undefined {
  let found: unknown;
  for (let at: unknown = model; isRecord(at); at = Object.getPrototypeOf(at))
    if (Object.hasOwn(at, name)) found = at[name];
  return isFunction(found) ? found : undefined;
}

/** What a wrapped model does in place of the model. */
class ModelMending {
  readonly #model: object;
  readonly #options: MendOptions;
  readonly #isAnthropic: boolean;

  constructor(model: object, options: MendOptions) {
    this.#model = model;
    this.#options = options;
    const typeOf: unknown = Reflect.get(model, '_llmType');
    this.#isAnthropic = isFunction(typeOf) && callFunction(typeOf, model, []) === 'anthropic';
  }

  readonly generate = async (...args: readonly unknown[]): Promise<unknown> => {
    const [messages, callOptions, runManager, ...others] = args;
    const asked = this.#ask(messages, callOptions);
    if (asked === undefined) return callFunction(this.#method('_generate'), this.#model, args);
    const quiet = quietRunManager(runManager);
    const given = [asked.messages, callOptions, quiet.manager, ...others];
    const result = await callFunction(this.#method('_generate'), this.#model, given);
    if (!isRecord(result)) return result;
    const generations = recordsIn(result['generations']).map((generation) =>
      mendGeneration(generation, asked.openReader(), this.#isAnthropic),
    );
    // A model that streams inside tells tokens to callbacks; they hear of all at once.
    if (quiet.wasTold()) for (const each of generations) await tellToken(runManager, each);
    return { ...result, generations };
  };

  readonly stream = (...args: readonly unknown[]): AsyncGenerator => {
    const [messages, callOptions, runManager, ...others] = args;
    const stream = this.#method('_streamResponseChunks');
    const asked = this.#ask(messages, callOptions);
    if (asked === undefined) return callFunction(stream, this.#model, args) as AsyncGenerator;
    const given = [asked.messages, callOptions, quietRunManager(runManager).manager, ...others];
    const chunks = callFunction(stream, this.#model, given) as AsyncIterable<UnknownRecord>;
    return mendChunks(chunks, new ChunkMender(asked.openReader(), this.#isAnthropic), runManager);
  };

  /** What the model is asked, and what reads its answer; undefined where it is offered no tools. */
  #ask(
    messages: unknown,
    callOptions: unknown,
  ): { readonly messages: unknown; readonly openReader: () => ContentReader } | undefined {
    const { defaultOptions, model, modelName } = this.#model as UnknownRecord;
    const options = { ...recordIn(defaultOptions), ...recordIn(callOptions) };
    const tools = toolsIn(options);
    if (tools.length === 0) return undefined;
    const name = textIn(model) ?? textIn(modelName) ?? '';
    const context = { tools, model: name, requiresJson: requiresJson(options) };
    return {
      messages: Array.isArray(messages) ? adviseMessages(messages, tools, this.#options) : messages,
      openReader: () => new ContentReader((emit) => new AnswerReader(context, this.#options, emit)),
    };
  }

  #method(name: string): AnyFunction {
    const method: unknown = Reflect.get(this.#model, name);
    if (isFunction(method)) return method;
    throw new TypeError(`the model has no ${name}`);
  }
}

async function* mendChunks(
  chunks: AsyncIterable<UnknownRecord>,
  mender: ChunkMender,
  runManager: unknown,
): AsyncGenerator {
  const tell = async (chunk: UnknownRecord): Promise<void> => tellToken(runManager, chunk);
  try {
    for await (const chunk of chunks) {
      const mended = mender.read(chunk);
      yield mended;
      await tell(mended);
    }
  } catch (error) {
    // What was held back is text then: no call of an answer that broke is told.
    const rest = mender.end('broken');
    if (rest !== undefined) yield rest;
    throw error;
  }
  const rest = mender.end('over');
  if (rest !== undefined) {
    yield rest;
    await tell(rest);
  }
  if (mender.isBroken) throw answerBrokeOff();
}
