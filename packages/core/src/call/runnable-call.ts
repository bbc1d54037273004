import type { Repair, ToolCall } from '../types.ts';

/**
 * A call that a runner can run: one that Holdfast read, a call of the OpenAI SDK, of Anthropic's or of the AI SDK,
 * or a name and arguments. Arguments are an object or its JSON.
 */
export type RunnableCall = ToolCall | NamedCall | FunctionCall | CustomCall | AiSdkCall;

interface CallDetails {
  readonly type?: string | null | undefined;
  /** Default: a new one. */
  readonly id?: string | null | undefined;
  readonly format?: string | undefined;
  readonly repairs?: readonly Repair[] | undefined;
  readonly argumentsText?: string | undefined;
  /** Default: true, unless the JSON of the arguments is cut. */
  readonly complete?: boolean | undefined;
  /** Default: false, unless the JSON of the arguments can only be guessed. */
  readonly lossy?: boolean | undefined;
}

/** Of OpenAI's Responses, of Anthropic, or a plain one. */
interface NamedCall extends CallDetails {
  readonly name: string;
  readonly call_id?: string | null | undefined;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly args?: unknown;
}

/** Of OpenAI's Chat Completions. */
interface FunctionCall extends CallDetails {
  readonly function: { readonly name: string; readonly arguments?: unknown };
}

interface CustomCall extends CallDetails {
  readonly custom: { readonly name: string; readonly input?: unknown };
}

interface AiSdkCall extends CallDetails {
  readonly toolName: string;
  readonly toolCallId?: string | undefined;
  readonly input?: unknown;
  readonly args?: unknown;
}
