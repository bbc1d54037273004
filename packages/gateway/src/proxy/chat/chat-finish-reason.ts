import type { FinishReason } from '../turn/finish-reason.ts';
import type { CallShape } from './call-shape.ts';

const READ: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['content_filter', 'content-filter'],
]);

/** What a server's word means. Any word it made up says that the answer is over. */
export function readFinishReason(word: string): FinishReason {
  return READ.get(word) ?? 'stop';
}

/** The word for it. Where calls were told they are the reason, unless the answer was cut. */
export function finishWord(reason: FinishReason, hasCalls: boolean, shape: CallShape): string {
  switch (reason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
    case 'stop':
    case 'stop-sequence':
    case 'tool-calls':
      return hasCalls ? shape : 'stop';
  }
}
