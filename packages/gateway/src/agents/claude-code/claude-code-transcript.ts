import { join } from 'node:path';
import type { JsonObject } from '@holdfast/core';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import { readLastLines } from '../hook/read-last-lines.ts';

/**
 * Which answer of the model asked for a call: calls of one answer are one step, and no hook says which are. The
 * transcript has it, by the time the call runs. Undefined where it has not.
 */
export function readRound(payload: JsonObject, ids: ReadonlySet<string>): string | undefined {
  const lines = readLastLines(transcriptOf(payload)) ?? [];
  const line = lines.findLast(({ message }) =>
    listOf(objectOf(message)['content']).some((block) => {
      const { type, id } = objectOf(block);
      return type === 'tool_use' && ids.has(textOf(id));
    }),
  );
  const round = textOf(objectOf(line?.['message'])['id']);
  return round === '' ? undefined : round;
}

/** Agents within a session are told the path of the session's transcript, and write one of their own. */
function transcriptOf(payload: JsonObject): string {
  const path = textOf(payload['transcript_path']);
  const agent = textOf(payload['agent_id']);
  if (agent === '' || path === '') return path;
  if (!/^[\w-]{1,100}$/.test(agent)) return '';
  return join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agent}.jsonl`);
}
