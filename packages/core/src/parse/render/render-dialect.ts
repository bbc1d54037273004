import type { JsonObject, JsonValue, ToolDefinition } from '../../types.ts';
import type { OfferedTools } from '../offered-tools.ts';

/** A call to be written. Whatever a parser returned is one. */
export interface RenderableCall {
  /** Written where the dialect has a place for ids. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: JsonObject;
  /** JSON text of `arguments`: numbers are written with its digits. */
  readonly argumentsText?: string | undefined;
}

/** What a tool answered. */
export interface ToolResult {
  /** The tool. */
  readonly name: string;
  /** The id of the call it answers; written where the dialect has a place for it. */
  readonly callId?: string | undefined;
  /** Text, or JSON. */
  readonly content: JsonValue;
  /** Whether the content says what went wrong. @defaultValue false */
  readonly isError?: boolean | undefined;
}

/** How one dialect is written. */
export interface RenderDialect {
  /** The name of the parser that reads it. */
  readonly format: string;
  /**
   * At least one call, each checked: names are not empty, arguments are JSON. Throws a `ToolRenderError` on
   * what the dialect cannot say. With `tools`, that includes what their schemas would read otherwise.
   */
  writeCalls(calls: readonly RenderableCall[], tools?: OfferedTools): string;
  writeResult(result: ToolResult): string;
  /** At least one tool, and a call of one of them to show. */
  writePrompt(tools: readonly ToolDefinition[], example: RenderableCall): string;
}
