export { BENIGN_EXITS } from './classify/benign-exits.ts';
export { classify } from './classify/classify.ts';
export { guessToolKind } from './classify/tool-kind.ts';
export type { ToolSettings } from './classify/tool-settings.ts';
export { FAILURE_TYPES } from '../internal/failure-types.ts';
export type { FailureTypeRule } from '../internal/failure-types.ts';
export type {
  Classification,
  FailureParent,
  FailureType,
  ToolKind,
  ToolResult,
} from './classification.ts';
