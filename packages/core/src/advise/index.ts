export { adviceFromData } from './advice-entry.ts';
export type { AdviceEntry } from './advice-entry.ts';
export { ADVICE_MAP } from './advice-map.ts';
export { ADVICE_PREFIX, LOG_PREFIX } from './advice-text.ts';
export type { Advice, AdvicePart, AdviceRule, AfterAdvice, BeforeAdvice, Veto } from './advice.ts';
export type { AdvisedCall } from './advised-call.ts';
export { formatAdvisorEvent } from './advisor-event.ts';
export type { AdvisorEvent, AdvisorEventListener } from './advisor-event.ts';
export { ADVISOR_DEFAULTS } from './advisor-options.ts';
export type { AdvisedToolSettings, AdvisorOptions } from './advisor-options.ts';
export { ADVISOR_STATE_KEY } from './advisor-state.ts';
export type { AdvisorState } from './advisor-state.ts';
export { Advisor } from './advisor.ts';
export { Advisors, ADVISORS_DEFAULTS } from './advisors.ts';
export { callFingerprint } from './call-fingerprint.ts';
export type { AdvisorsOptions } from './advisors.ts';
export type {
  Classification,
  FailureParent,
  FailureType,
  ToolKind,
  ToolResult,
} from './classification.ts';
export { BENIGN_EXITS } from './classify/benign-exits.ts';
export { classify } from './classify/classify.ts';
export { guessToolKind } from './classify/tool-kind.ts';
export type { ToolSettings } from './classify/tool-settings.ts';
export { adviseConversation, CONVERSATION_DEFAULTS } from './conversation/advise-conversation.ts';
export type { AdviseConversationOptions } from './conversation/advise-conversation.ts';
export type {
  ConversationAdvice,
  ConversationCall,
  EarlierAdvice,
} from './conversation/conversation-advice.ts';
export { labelLookAlikes, splitAdvice, TOOL_OUTPUT_LABEL } from './conversation/own-advice.ts';
export type { IsOwnAdvice } from './conversation/own-advice.ts';
export type { FailureRecord } from './history.ts';
export { LOOP_LIMITS } from './loops/find-loop.ts';
export { HoldfastError, InvalidOptionError } from '../errors.ts';
export type { ErrorCode } from '../errors.ts';
export type { FailureClass } from '../internal/failure-class.ts';
export { FAILURE_TYPES, TYPE_OF_CLASS } from '../internal/failure-types.ts';
export type { FailureTypeRule } from '../internal/failure-types.ts';
export { isSecretName, maskSecrets } from '../internal/mask-secrets.ts';
export type { JsonObject, JsonValue } from '../types.ts';
