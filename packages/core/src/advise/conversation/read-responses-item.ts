import { callStep } from './call-step.ts';
import type { CallStep, ConversationStep, ResultStep } from './conversation-step.ts';
import { messageText, resultText } from './message-text.ts';
import { isRecord, recordsIn, textIn } from './record.ts';
import type { UnknownRecord } from './record.ts';

/**
 * An item of OpenAI's Responses API; undefined when it is none. All calls are named `…_call` and their
 * results `…_call_output`: functions, custom tools, shells, patches.
 */
export function readResponsesItem(item: UnknownRecord): ConversationStep[] | undefined {
  const type = textIn(item['type']);
  if (type === undefined || item['role'] !== undefined) return undefined;
  if (type.endsWith('_call_output')) return [readOutput(item)];
  if (!type.endsWith('_call')) return [];
  // A call the provider makes itself carries its result.
  if (type === 'mcp_call') return readRemoteCall(item);
  const id = textIn(item['call_id']);
  return id === undefined ? [] : [readCall(item, id, type)];
}

function readCall(item: UnknownRecord, id: string, type: string): CallStep {
  const input = item['arguments'] ?? item['input'] ?? item['action'] ?? item['operation'];
  const tool = textIn(item['name']) ?? type.slice(0, -'_call'.length);
  return callStep(id, tool, input);
}

function readOutput(item: UnknownRecord): ResultStep {
  const { output } = item;
  const runs = recordsIn(output);
  return {
    type: 'result',
    id: textIn(item['call_id']) ?? textIn(item['id']),
    tool: textIn(item['name']),
    output: [resultText(output), ...runs.flatMap(shellText)]
      .filter((text) => text !== '')
      .join('\n'),
    isError: item['status'] === 'failed' ? true : undefined,
    exitCode: runs.map(shellExitCode).findLast((code) => code !== undefined),
  };
}

/** The shell tool lists its runs: `{ stdout, stderr, outcome: { type: 'exit', exit_code } }`. */
function shellText({ stdout, stderr }: UnknownRecord): string[] {
  return [stdout, stderr].filter((text) => typeof text === 'string');
}

function shellExitCode({ outcome }: UnknownRecord): number | undefined {
  const code = isRecord(outcome) ? outcome['exit_code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}

function readRemoteCall(item: UnknownRecord): ConversationStep[] {
  const id = textIn(item['id']);
  const tool = textIn(item['name']);
  if (tool === undefined) return [];
  const call = callStep(id, tool, item['arguments']);
  const { output, error } = item;
  const isError = error !== undefined && error !== null;
  if (!isError && typeof output !== 'string') return [call];
  const said = isError ? error : output;
  const text = isRecord(said) ? (textIn(said['message']) ?? messageText(said['content'])) : said;
  const result = { type: 'result', id, tool, output: messageText(text), isError } as const;
  return [call, { ...result, exitCode: undefined }];
}
