/** The vocabulary every part of Holdfast shares. */

/** What `JSON.parse` can return. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, JsonValue>>;

/** One thing that had to be mended to read a call. Listed on the call, in order of first use. */
export type Repair =
  | 'trailing-comma'
  | 'missing-comma'
  | 'missing-colon'
  | 'wrong-separator'
  | 'single-quotes'
  | 'smart-quotes'
  | 'odd-quotes'
  | 'entity-quotes'
  | 'escaped-quotes'
  | 'triple-quotes'
  | 'missing-quote'
  | 'inner-quotes'
  | 'unquoted-key'
  | 'unquoted-value'
  | 'raw-control-character'
  | 'odd-space'
  | 'bad-escape'
  | 'python-literal'
  | 'javascript-literal'
  | 'tuple'
  | 'number'
  | 'non-finite-number'
  | 'computed-number'
  | 'markdown-escape'
  | 'joined-strings'
  | 'comment'
  | 'ellipsis'
  | 'missing-value'
  | 'missing-brace'
  | 'extra-brace'
  | 'doubled-braces'
  | 'split-object'
  | 'missing-outer-braces'
  | 'concatenated'
  | 'double-encoded'
  | 'flat-arguments'
  | 'code-fence'
  | 'surrounding-text'
  | 'truncated'
  | 'missing-end-marker'
  | 'tool-name'
  | 'argument-name'
  | 'stringified-value'
  | 'single-value-for-array'
  | 'wrapped-value'
  | 'coerced-value';

/** A tool call read out of model text. */
export interface ToolCall {
  /** The id the model wrote, or a new one. */
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /**
   * JSON text of the arguments as the model wrote it, with every digit; absent when the model wrote no valid
   * JSON for them, and when they were changed.
   */
  readonly argumentsText?: string;
  /** The name of the parser that read it: `qwen`, `openai`, … */
  readonly format: string;
  readonly repairs: readonly Repair[];
  /** False when the text ended inside the call. Such a call must not be run. */
  readonly complete: boolean;
  /** True when a repair may have lost or guessed content. Do not run it unless the tool only reads. */
  readonly lossy: boolean;
}

/** A tool the model was offered, in the shape OpenAI, Anthropic and MCP all reduce to. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: JsonObject;
}

/**
 * Tool definitions in any common shape: a list in that of Holdfast, OpenAI, Anthropic or MCP, or a tool set of
 * the AI SDK. Schemas are JSON Schema, or provide it by Standard JSON Schema.
 */
export type ToolsInput =
  | readonly (ToolDefinition | AnyOf<{ readonly name: string } | { readonly type: string }>)[]
  | Readonly<Record<string, object>>;

/** These properties and any others, also in an object literal. */
type AnyOf<Shape> = Shape | (Shape & Readonly<Record<string, unknown>>);
