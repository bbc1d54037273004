export { createDefaultRegistry } from './default-registry.ts';
export type { DefaultRegistryOptions } from './default-registry.ts';
export { createToolCallStream } from './create-tool-call-stream.ts';
export type { CreateToolCallStreamOptions } from './create-tool-call-stream.ts';
export { toAnthropicContent } from './convert/anthropic.ts';
export type { AnthropicContentBlock, AnthropicContentOptions } from './convert/anthropic.ts';
export { toOpenAIMessage } from './convert/openai.ts';
export type { OpenAIMessage, OpenAIToolCall } from './convert/openai.ts';
export { defineFormat } from './define-format.ts';
export type { FormatDefinition } from './define-format.ts';
export { FormatParser } from './format-parser.ts';
export { CommentaryToolParser } from './formats/commentary.ts';
export { CustomToolParser } from './formats/custom.ts';
export { DIALECTS } from './formats/dialects.ts';
export type { Dialect } from './formats/dialects.ts';
export { FallbackParser } from './formats/fallback.ts';
export { OpenAIToolParser } from './formats/openai.ts';
export { QwenToolParser } from './formats/qwen.ts';
export { parseJson } from './json/parse-json.ts';
export type { ParseJsonResult } from './json/parse-json.ts';
export type { ParseJsonOptions } from './json/parse-json-options.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export type { ParseLimits } from './limits.ts';
export type { ParseEvent } from './parse-event.ts';
export type { ParseIssue, ParseIssueCode } from './parse-issue.ts';
export { PARSE_DEFAULTS } from './parse-options.ts';
export type { ParseOptions } from './parse-options.ts';
export type { ParseResult, ParseStep, Segment } from './parse-result.ts';
export { locateInJson } from './locate-in-json.ts';
export type { TextRange } from './locate-in-json.ts';
export { parseToolCalls } from './parse-tool-calls.ts';
export type { ParseToolCallsOptions } from './parse-tool-calls.ts';
export { ParserRegistry } from './parser-registry.ts';
export type {
  FallbackResult,
  ParserMetrics,
  ParserRegistryOptions,
  RegistryMetrics,
} from './parser-registry.ts';
export { RENDER_FORMATS } from './render/dialect-of.ts';
export type { RenderableCall, ToolResult } from './render/render-dialect.ts';
export { renderToolCall } from './render/render-tool-call.ts';
export type { RenderOptions } from './render/render-tool-call.ts';
export { renderToolPrompt } from './render/render-tool-prompt.ts';
export { renderToolResult } from './render/render-tool-result.ts';
export type { ToolCallStream, ToolCallStreamOptions } from './stream.ts';
export { toolDefinitions } from '../internal/tool-definitions.ts';
export { ToolCallTransformStream } from './tool-call-transform-stream.ts';
export type { ParsedCall, TextResponse, ToolParser } from './tool-parser.ts';
export type {
  JsonObject,
  JsonValue,
  Repair,
  ToolCall,
  ToolDefinition,
  ToolsInput,
} from '../types.ts';
export { HoldfastError, InvalidOptionError, ToolParseError, ToolRenderError } from '../errors.ts';
export type { ErrorCode } from '../errors.ts';
export type { MonotonicClock } from '../internal/clock.ts';
