import type { AdvisorEvent } from '@holdfast/core/advise';
import type { GuardEvent } from '@holdfast/core/guard';

/** Told what happens to the circuits and advisors that plugins of ours keep. */
export type PluginEventListener = (event: GuardEvent | AdvisorEvent) => void;
