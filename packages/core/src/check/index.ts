export type { CheckIssue, CheckIssueCode } from './check-issue.ts';
export { CHECK_DEFAULTS } from './check-options.ts';
export type { CheckOptions } from './check-options.ts';
export type { CheckableCall, CheckRepair, CheckResult } from './check-result.ts';
export { checkToolCall } from './check-tool-call.ts';
export { coerceValue } from './coerce-value.ts';
export type { CoercedValue } from './coerce-value.ts';
export { SUPPORTED_KEYWORDS } from './supported-keywords.ts';
export { valueFromText } from './value-from-text.ts';
export type { ValueFromTextOptions } from './value-from-text.ts';
export { parseExactJson, writeExactJson } from '../internal/exact-json.ts';
export { parseExactJsonInSteps, writeExactJsonInSteps } from '../internal/exact-json-steps.ts';
export type { ParseLoose } from '../internal/schema-readings.ts';
export { HoldfastError, InvalidOptionError } from '../errors.ts';
export type { ErrorCode } from '../errors.ts';
export type {
  JsonObject,
  JsonValue,
  Repair,
  ToolCall,
  ToolDefinition,
  ToolsInput,
} from '../types.ts';
