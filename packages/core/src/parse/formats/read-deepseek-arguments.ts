import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { skipFence } from '../script/skip-fence.ts';
import { DEEPSEEK_MARKERS } from './deepseek-markers.ts';

const { callBeginBySeparator, callEndBySeparator, callEnds } = DEEPSEEK_MARKERS;

/** Reads the arguments of a call of the tool `name`, in a code fence or not, and the end of the call. */
export function* readDeepSeekArguments(
  input: ScriptInput,
  name: string,
  separator: string,
): Script<Declined | undefined> {
  yield* input.skipSpace();
  const isFenced = yield* skipFence(input);
  if (isFenced) yield* input.skipSpace();
  const first = yield* input.peek(1);
  const isEmpty = first === '<' && (yield* input.takeAny(callEnds)) !== undefined;
  // A word, or a tag, is what another version or another dialect has here.
  if (!isEmpty && first !== '{' && first !== '"' && first !== '')
    return input.stop('no arguments follow');
  const draft = input.beginCall(name);
  if (isEmpty) {
    input.endCall(draft);
    return undefined;
  }
  const marker = (isFenced ? '```' : '') + (callEndBySeparator.get(separator) ?? '');
  const next = callBeginBySeparator.get(separator) ?? '';
  return yield* readArguments(input, draft, { marker, next, markers: callEnds, isFenced });
}
