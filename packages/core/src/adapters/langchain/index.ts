export { guardTools } from './guard-tools.ts';
export type { LangChainTool } from './guard-tools.ts';
export { toolCallMiddleware } from './tool-call-middleware.ts';
export type {
  ModelRequestLike,
  ToolCallHooks,
  ToolCallMiddlewareOptions,
  ToolRequestLike,
} from './tool-call-middleware.ts';
export { wrapChatModel } from './wrap-chat-model.ts';
export type { ChatModelLike } from './wrap-chat-model.ts';
export { ToolFailedError } from '../guarding/tool-failed-error.ts';
export type { ToolGuardOptions, ToolSettings } from '../guarding/tool-settings.ts';
export type { AnswerCall } from '../reading/answer-call.ts';
export type { MendEvent, MendEventListener } from '../reading/mend-event.ts';
export type { MendOptions } from '../reading/mend-options.ts';
export { HoldfastError, InvalidOptionError } from '../../errors.ts';
export type { ErrorCode } from '../../errors.ts';
