export { HoldfastError, InvalidOptionError, ToolParseError } from './errors.ts';
export type { ErrorCode, HoldfastErrorOptions } from './errors.ts';
export type { Clock, MonotonicClock } from './internal/clock.ts';
export { createToolCallStream } from './parse/create-tool-call-stream.ts';
export { createDefaultRegistry } from './parse/default-registry.ts';
export { parseToolCalls } from './parse/parse-tool-calls.ts';
export { ParserRegistry } from './parse/parser-registry.ts';
export type { JsonObject, JsonValue, Repair, ToolCall, ToolDefinition } from './types.ts';
