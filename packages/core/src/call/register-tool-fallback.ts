import { Advisor } from '../advise/advisor.ts';
import type { AdvisorOptions } from '../advise/advisor-options.ts';
import { ADVISOR_STATE_KEY } from '../advise/advisor-state.ts';
import type { HookData } from '../hooks/hook-data.ts';
import type { HookRegistry } from '../hooks/hook-registry.ts';
import { PendingArguments } from './pending-arguments.ts';
import { resultOfResponse } from './result-of-response.ts';

/** What runs before a tool: it vetoes, or gives advice that could not be given earlier. */
export const FALLBACK_ADVISOR_NAME = '_30_tool_fallback_advisor';

/** What runs after a tool: it remembers how the call went and adds advice to the message. */
export const FALLBACK_LOGGER_NAME = '_30_tool_fallback_logger';

/**
 * Adds an advisor to a registry, as one extension before and one after every tool. What it remembers is kept
 * in the data of the conversation under `_tool_failures`; other keys are left alone.
 */
export function registerToolFallback(hooks: HookRegistry, options: AdvisorOptions = {}): void {
  // Wrong options are told here, not with the first call.
  new Advisor(options);
  const pending = new PendingArguments();
  const advisorOf = (data: HookData): Advisor =>
    Advisor.restore(data.get(ADVISOR_STATE_KEY), options);

  hooks.register('tool_execute_before', FALLBACK_ADVISOR_NAME, (context) => {
    const { toolName, toolArgs, callId, data } = context;
    pending.add(data, callId ?? toolName, toolArgs);
    const advisor = advisorOf(data);
    const { veto, advice } = advisor.before({
      tool: toolName,
      arguments: toolArgs,
      ...(callId !== undefined && { id: callId }),
    });
    data.set(ADVISOR_STATE_KEY, advisor.state);
    return {
      ...(advice !== undefined && { notice: advice.text }),
      ...(veto !== undefined && { veto: veto.text }),
    };
  });

  hooks.register('tool_execute_after', FALLBACK_LOGGER_NAME, (context) => {
    const { toolName, callId, response, data } = context;
    const begun = pending.take(data, callId ?? toolName);
    const args = context.toolArgs ?? begun;
    const call = {
      tool: toolName,
      ...(args !== undefined && { arguments: args }),
      ...(callId !== undefined && { id: callId }),
    };
    const advisor = advisorOf(data);
    const { advice } = advisor.after(call, { ...call, ...resultOfResponse(response) });
    data.set(ADVISOR_STATE_KEY, advisor.state);
    return advice?.text;
  });
}
