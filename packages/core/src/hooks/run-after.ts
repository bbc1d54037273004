import type { JsonObject } from '../types.ts';
import { checkAfterReply, checkMasked } from './check-reply.ts';
import type { AfterExtension, MessageMask, ToolResponse } from './extension.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { HookData } from './hook-data.ts';
import type { HookList } from './hook-list.ts';
import type { AfterOutcome, AfterRun, HookText } from './hook-run.ts';
import { runExtension } from './run-extension.ts';
import type { HookEnvironment } from './run-extension.ts';

const POINT = 'tool_execute_after';

/** Runs the extensions after a tool, one after the other. */
export async function runAfter(
  { toolName, toolArgs, response, callId, data }: AfterRun,
  list: HookList<AfterExtension | MessageMask>,
  ownData: HookData,
  environment: HookEnvironment,
): Promise<AfterOutcome> {
  const added: HookText[] = [];
  if (response === undefined || response === null) return { response: undefined, added };
  if (!toolName || list.entries.length === 0 || typeof response.message !== 'string')
    return { response, added };

  const shown = showable(response);
  const shownArgs = toolArgs === undefined || toolArgs === null ? undefined : frozenCopy(toolArgs);
  let { message } = response;
  for (const { name, extension } of list.entries) {
    const place = { point: POINT, extension: name, toolName } as const;
    if (typeof extension !== 'function') {
      const before = message;
      const mask = (): string => extension.mask(before);
      message = (await runExtension(mask, checkMasked, place, environment)) ?? message;
      continue;
    }
    const context = Object.freeze({
      toolName,
      toolArgs: shownArgs,
      callId,
      response: Object.freeze({ ...shown, message }),
      data: data ?? ownData,
    });
    const run = (): unknown => extension(context);
    const text = await runExtension(run, checkAfterReply, place, environment);
    if (!text) continue;
    added.push({ extension: name, text });
    message = message === '' ? text : `${message}\n\n${text}`;
  }
  return { response: message === response.message ? response : { ...response, message }, added };
}

/** The response as extensions see it: theirs to read, not to change. */
function showable({ message, breakLoop, additional }: ToolResponse): ToolResponse {
  return {
    message,
    ...(breakLoop !== undefined && { breakLoop }),
    ...(additional !== undefined && { additional: copyOf(additional) }),
  };
}

function copyOf(additional: JsonObject | null): JsonObject | null {
  return additional === null ? null : frozenCopy(additional);
}
