export { BENIGN_EXITS } from './classify/benign-exits.ts';
export { classify } from './classify/classify.ts';
export { guessToolKind } from './classify/tool-kind.ts';
export type { ToolSettings } from './classify/tool-settings.ts';
export type {
  Classification,
  FailureParent,
  FailureType,
  ToolKind,
  ToolResult,
} from './classification.ts';
