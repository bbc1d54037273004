import { oneOf } from '../../internal/check-options.ts';
import { toolDefinitions } from '../../internal/tool-definitions.ts';
import type { ToolDefinition } from '../../types.ts';
import { AnswerReader } from '../reading/answer-reader.ts';
import type { AnswerEvent } from '../reading/answer-reader.ts';
import { mendStream } from '../reading/mend-stream.ts';
import { checkMendOptions, MEND_RULES } from '../reading/mend-options.ts';
import type { MendOptions } from '../reading/mend-options.ts';
import { requiresJson } from '../reading/requires-json.ts';
import { advisePrompt } from './advise-prompt.ts';
import type { MessageLike } from './advise-prompt.ts';
import type { PartLike } from './ai-parts.ts';
import { ContentMender } from './content-mender.ts';
import { isCutBy, reasonFor } from './finish-reason.ts';
import { PartMender } from './part-mender.ts';

/** The versions of the specification of language models: that of ai 5, of ai 6, of ai 7. */
export type SpecificationVersion = 'v2' | 'v3' | 'v4';

/** How the middleware reads and mends calls. */
export interface ToolCallMiddlewareOptions<
  Version extends SpecificationVersion = SpecificationVersion,
> extends MendOptions {
  /**
   * What the middleware says it is. It works with all of them: `wrapLanguageModel` of ai 5, 6 and 7 takes
   * `v3`, and only a variable of the type `LanguageModelV4Middleware` needs `v4`. @defaultValue 'v3'
   */
  readonly specificationVersion?: Version;
}

/** What is asked of a model, in every version of the specification. */
export interface ModelCall {
  readonly prompt: readonly MessageLike[];
  readonly tools?: readonly PartLike[] | undefined;
  readonly toolChoice?: { readonly type: string } | undefined;
  readonly responseFormat?: { readonly type: string } | undefined;
}

/** A whole answer, in every version of the specification. */
export interface ModelAnswer {
  readonly content: readonly PartLike[];
  readonly finishReason: unknown;
}

/** A streamed answer, in every version of the specification. */
export interface ModelStream {
  readonly stream: ReadableStream<PartLike>;
}

interface Wrapping<Call> {
  readonly params: Call;
  readonly model: { readonly modelId: string };
}

/** A middleware for `wrapLanguageModel`. */
export interface ToolCallMiddleware<Version extends SpecificationVersion = 'v3'> {
  readonly specificationVersion: Version;
  readonly transformParams: <Call extends ModelCall>(options: {
    readonly params: Call;
  }) => Promise<Call>;
  readonly wrapGenerate: <Answer extends ModelAnswer>(
    options: Wrapping<ModelCall> & { readonly doGenerate: () => PromiseLike<Answer> },
  ) => Promise<Answer>;
  readonly wrapStream: <Answer extends ModelStream>(
    options: Wrapping<ModelCall> & { readonly doStream: () => PromiseLike<Answer> },
  ) => Promise<Answer>;
}

const RULES = { ...MEND_RULES, specificationVersion: oneOf('v2', 'v3', 'v4') };

/**
 * Makes the tool calls of a language model hold: calls that it writes as text are calls, broken ones are
 * mended and checked against the tools, and a model whose calls keep failing is told what to do.
 */
export function toolCallMiddleware<const Version extends SpecificationVersion = 'v3'>(
  options: ToolCallMiddlewareOptions<Version> = {},
): ToolCallMiddleware<Version> {
  checkMendOptions(options, 'toolCallMiddleware', RULES);
  const { specificationVersion = 'v3' as Version } = options;
  const opener = ({ params, model }: Wrapping<ModelCall>) => {
    const tools = toolsOf(params);
    if (tools.length === 0) return undefined;
    const context = { tools, model: model.modelId, requiresJson: requiresJson(params) };
    return (emit: (event: AnswerEvent) => void): AnswerReader =>
      new AnswerReader(context, options, emit);
  };
  return {
    specificationVersion,
    transformParams: async ({ params }) => {
      const prompt = advisePrompt(params.prompt, toolsOf(params), options);
      return prompt === params.prompt ? params : { ...params, prompt };
    },
    wrapGenerate: async ({ doGenerate, ...call }) => {
      const answer = await doGenerate();
      const openReader = opener(call);
      if (openReader === undefined) return answer;
      const mender = new ContentMender(openReader);
      for (const part of answer.content) mender.read(part);
      const content = mender.end(isCutBy(answer.finishReason));
      const finishReason = reasonFor(answer.finishReason, mender.callCount);
      return { ...answer, content, finishReason };
    },
    wrapStream: async ({ doStream, ...call }) => {
      const answer = await doStream();
      const openReader = opener(call);
      if (openReader === undefined) return answer;
      return { ...answer, stream: mendStream(answer.stream, new PartMender(openReader)) };
    },
  };
}

/** The functions that the model may call; none where it was told to call none. */
function toolsOf({ tools = [], toolChoice }: ModelCall): readonly ToolDefinition[] {
  if (toolChoice?.type === 'none') return [];
  return toolDefinitions(
    tools.filter(({ type }) => type === 'function'),
    'skip',
  );
}
