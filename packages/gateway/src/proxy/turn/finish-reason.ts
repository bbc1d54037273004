/** Why a turn ended, whatever a protocol calls it. */
export type FinishReason = 'stop' | 'stop-sequence' | 'tool-calls' | 'length' | 'content-filter';
