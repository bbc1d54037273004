import { isRecord } from '../../advise/conversation/record.ts';
import type { ToolOutcome } from '../../call/tool-outcome.ts';
import type { JsonValue } from '../../types.ts';
import { adviseContent } from '../advising/advise-content.ts';
import { callFunction, isFunction } from '../guarding/call-function.ts';
import type { ToolGuard } from '../guarding/tool-guard.ts';
import { Bubble } from './bubble.ts';
import { FailedMessage } from './failed-message.ts';
import { remake, typeOf } from './lc-message.ts';
import { argumentsOf, signalOf, withSignal } from './tool-input.ts';

/** A tool that LangChain can run. */
export interface InvokableTool {
  readonly invoke: (...args: never[]) => unknown;
}

export function isInvokable(tool: unknown): tool is InvokableTool {
  return isRecord(tool) && isFunction(tool['invoke']);
}

/** Runs a tool behind a guard, with what its `invoke` was given. */
export function invokeGuarded(
  guard: ToolGuard,
  name: string,
  tool: InvokableTool,
  [input, config]: readonly [input: unknown, config: unknown],
): Promise<ToolOutcome> {
  return guard.run(
    name,
    argumentsOf(input),
    (context) =>
      Bubble.catch(async () => {
        const given = [input, withSignal(config, context)];
        return FailedMessage.from(await callFunction(tool.invoke, tool, given));
      }),
    signalOf(config),
  );
}

/** What the tool itself gave, with the advice that there is; what bubbles up goes on its way. */
export function answerOf({
  value,
  advice,
}: { value?: unknown } & Pick<ToolOutcome, 'advice'>): unknown {
  const answer = FailedMessage.release(Bubble.release(value));
  if (advice === undefined) return answer;
  const isMessage = isRecord(answer) && typeOf(answer) === 'tool';
  const said = isMessage ? answer['content'] : answer;
  if (!isMessage && typeof said !== 'string') return answer;
  const content = adviseContent(said as JsonValue, advice.text, 'text');
  if (content === undefined) return answer;
  return isMessage ? remake(answer, { content }) : content;
}
