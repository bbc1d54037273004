import type { RetryOptions } from '../guard/retry-options.ts';
import type { JsonObject, ToolDefinition } from '../types.ts';

/** What a tool says of itself, in MCP's words. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnlyHint?: boolean;
  /** What it changes may be lost. */
  readonly destructiveHint?: boolean;
  /** Calling it twice does no more than calling it once. */
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** Whether a tool says that it changes nothing. One that also says it is destructive counts as destructive. */
export function isReadOnly({ readOnlyHint, destructiveHint }: ToolAnnotations = {}): boolean {
  return readOnlyHint === true && destructiveHint !== true;
}

/** Whether a tool says that calling it twice does no more than calling it once. */
export function isRepeatable(annotations: ToolAnnotations = {}): boolean {
  if (isReadOnly(annotations)) return true;
  return annotations.idempotentHint === true && annotations.readOnlyHint !== true;
}

/** What a tool gets to know of the call. */
export interface ToolContext {
  /** Aborted when the call times out or the caller gives up. Made when it is first looked at. */
  readonly signal: AbortSignal;
  /** Counts from 1. */
  readonly attempt: number;
  readonly callId: string;
  readonly toolName: string;
  /**
   * JSON text of the arguments as the model wrote it, with digits that a number cannot hold; undefined when the
   * model wrote no valid JSON for them, or when they were changed.
   */
  readonly argumentsText: string | undefined;
}

/** A tool that can be run. */
export interface Tool extends ToolDefinition {
  /** Returns what the model is to see, or throws. */
  readonly execute: (args: JsonObject, context: ToolContext) => unknown;
  readonly annotations?: ToolAnnotations;
  /** How long a call may take with all its attempts. @defaultValue that of the runner */
  readonly timeoutMs?: number;
  /** How it is retried. @defaultValue that of the runner */
  readonly retry?: RetryOptions | false;
  /** The server it lives on: tools of one server share a circuit for what is the server's fault. */
  readonly server?: string;
  /** Who runs the server. */
  readonly provider?: string;
}

/** A tool that can be run, defined in any shape of `ToolsInput`. */
export type RunnableTool = RunSettings &
  (NamedDefinition | { readonly type?: 'function'; readonly function: NamedDefinition });

/** The tools of a runner: a list, or a record from names to tools. */
export type RunnableTools =
  readonly RunnableTool[] | Readonly<Record<string, RunSettings & AnyDefinition>>;

type RunSettings = Omit<Tool, keyof ToolDefinition>;

interface NamedDefinition extends AnyDefinition {
  readonly name: string;
}

interface AnyDefinition {
  readonly type?: string | null;
  readonly description?: string | null;
  readonly parameters?: unknown;
  readonly input_schema?: unknown;
  readonly inputSchema?: unknown;
}

/** A tool of a list whose `execute` takes the arguments that its schema describes. */
export type TypedTool<Schema> = TypedRun<Schema> &
  (
    | (TypedDefinition<Schema> & { readonly name: string })
    | {
        readonly type?: 'function';
        readonly function: TypedDefinition<Schema> & { readonly name: string };
      }
  );

/** A tool of a record whose `execute` takes the arguments that its schema describes. */
export type TypedEntry<Schema> = TypedRun<Schema> & TypedDefinition<Schema>;

type TypedRun<Schema> = Omit<RunSettings, 'execute'> & {
  readonly execute: (args: ArgumentsOf<Schema>, context: ToolContext) => unknown;
};

interface TypedDefinition<Schema> {
  readonly name?: string;
  readonly type?: string | null;
  readonly description?: string | null;
  readonly parameters?: Schema;
  readonly input_schema?: Schema;
  readonly inputSchema?: Schema;
}

/** What a Standard Schema returns for arguments; any JSON object for other schemas. */
export type ArgumentsOf<Schema> = Schema extends {
  readonly '~standard': { readonly types?: infer Types };
}
  ? NonNullable<Types> extends { readonly output: infer Output }
    ? Output
    : JsonObject
  : JsonObject;
