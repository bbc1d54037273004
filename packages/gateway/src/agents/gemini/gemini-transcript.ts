import type { JsonObject } from '@holdfast/core';
import type { ToolResult } from '@holdfast/core/advise';
import { listOf, objectOf, textOf } from '../../proxy/json/json-fields.ts';
import type { HookEvent } from '../hook/hook-host.ts';
import { readLastLines } from '../hook/read-last-lines.ts';
import { argumentsOf } from './gemini-arguments.ts';

/**
 * Calls that fire no hook, from the transcript: those of tools that do not exist, and those whose arguments do not
 * fit. All others that failed were told of, without an id to tell them apart by, and are left out.
 */
export function readUnheardCalls(path: string): readonly HookEvent[] {
  // A line is written anew when something comes to it: the last of a call counts.
  const calls = new Map<string, HookEvent>();
  for (const { toolCalls } of readLastLines(path) ?? []) {
    for (const record of listOf(toolCalls).map(objectOf)) {
      const event = readUnheard(record);
      if (event !== undefined) calls.set(textOf(record['id']), event);
    }
  }
  return [...calls.values()];
}

function readUnheard(record: JsonObject): HookEvent | undefined {
  const id = textOf(record['id']);
  const tool = textOf(record['name']);
  if (id === '' || tool === '' || record['status'] !== 'error') return undefined;
  const [part] = listOf(record['result']);
  const response = objectOf(objectOf(objectOf(part)['functionResponse'])['response']);
  const result = refusalOf(tool, textOf(response['error']));
  if (result === undefined) return undefined;
  return { kind: 'after', call: { tool, arguments: argumentsOf(record['args']), id }, result };
}

function refusalOf(tool: string, error: string): ToolResult | undefined {
  if (error.startsWith(`Tool "${tool}" not found.`)) {
    return { tool, output: error, notRun: 'unknown-tool' };
  }
  return UNFIT.test(error) ? { tool, output: error, isError: true } : undefined;
}

/** How the check of arguments begins: `params must have required property …`, `params/path must be string`. */
const UNFIT = /^params(?:\/\S{0,200})? must /;
