import type { AnswerReader } from '../reading/answer-reader.ts';
import { textIn } from './ai-parts.ts';
import type { PartLike } from './ai-parts.ts';

/**
 * A call that the provider told, with a name that is known and arguments that can be read; the very same part
 * where nothing is wrong with it. What cannot be read stays as it is: the SDK tells the model what is wrong.
 */
export function mendCallPart<Part extends PartLike>(part: Part, reader: AnswerReader): Part {
  const name = textIn(part, 'toolName');
  const json = textIn(part, 'input');
  const call = reader.mend({ id: textIn(part, 'toolCallId'), name, json });
  if (call === undefined || (call.name === name && call.repairs.length === 0)) return part;
  return { ...part, toolName: call.name, input: call.json };
}

/** Whether a call may be one that was cut before its arguments came; how the answer goes on tells. */
export function mayBeCut(part: PartLike): boolean {
  return textIn(part, 'input').trim() === '';
}
