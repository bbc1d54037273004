import { checkBeforeReply } from './check-reply.ts';
import type { BeforeExtension } from './extension.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { HookData } from './hook-data.ts';
import type { HookList } from './hook-list.ts';
import type { BeforeOutcome, BeforeRun, HookText } from './hook-run.ts';
import { runExtension } from './run-extension.ts';
import type { HookEnvironment } from './run-extension.ts';

const POINT = 'tool_execute_before';

/** Runs the extensions before a tool, one after the other. */
export async function runBefore(
  { toolName, toolArgs, callId, data }: BeforeRun,
  list: HookList<BeforeExtension>,
  ownData: HookData,
  environment: HookEnvironment,
): Promise<BeforeOutcome> {
  let current = toolArgs ?? {};
  const notices: HookText[] = [];
  let veto: HookText | undefined;
  if (!toolName || list.entries.length === 0) return { toolArgs: current, notices, veto };

  let shown = frozenCopy(current);
  for (const { name, extension } of list.entries) {
    const context = Object.freeze({ toolName, toolArgs: shown, callId, data: data ?? ownData });
    const reply = await runExtension(
      () => extension(context),
      checkBeforeReply,
      { point: POINT, extension: name, toolName },
      environment,
    );
    if (reply?.toolArgs !== undefined) {
      current = reply.toolArgs;
      shown = frozenCopy(current);
    }
    if (reply?.notice) notices.push({ extension: name, text: reply.notice });
    // The others run all the same: the host may not heed it.
    if (reply?.veto) veto ??= { extension: name, text: reply.veto };
  }
  return { toolArgs: current, notices, veto };
}
