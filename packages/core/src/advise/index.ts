export type {
  Classification,
  FailureParent,
  FailureType,
  ToolKind,
  ToolResult,
} from './classification.ts';
