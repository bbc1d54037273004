export { adviceFromYaml } from './call/advice-from-yaml.ts';
export { guardTool } from './call/guard-tool.ts';
export type { GuardedTool } from './call/guard-tool.ts';
export {
  FALLBACK_ADVISOR_NAME,
  FALLBACK_LOGGER_NAME,
  registerToolFallback,
} from './call/register-tool-fallback.ts';
export type { RunnableCall } from './call/runnable-call.ts';
export type { ToolOutcome } from './call/tool-outcome.ts';
export { createToolRunner, TOOL_RUNNER_DEFAULTS, ToolRunner } from './call/tool-runner.ts';
export type { ToolRunnerOptions, ToolRunOptions } from './call/tool-runner.ts';
export type { Tool, ToolAnnotations, ToolContext } from './call/tool.ts';
export {
  CircuitOpenError,
  HoldfastError,
  InvalidOptionError,
  ToolParseError,
  ToolTimeoutError,
} from './errors.ts';
export type { ErrorCode, HoldfastErrorOptions } from './errors.ts';
export type { Clock, MonotonicClock } from './internal/clock.ts';
export { createToolCallStream } from './parse/create-tool-call-stream.ts';
export { createDefaultRegistry } from './parse/default-registry.ts';
export { parseToolCalls } from './parse/parse-tool-calls.ts';
export { ParserRegistry } from './parse/parser-registry.ts';
export type {
  JsonObject,
  JsonValue,
  Repair,
  ToolCall,
  ToolDefinition,
  ToolsInput,
} from './types.ts';
