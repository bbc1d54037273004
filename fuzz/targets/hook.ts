import type { JsonObject } from '@holdfast/core';
import { foldMoment } from '../../packages/gateway/src/agents/hook/fold-moment.ts';
import {
  EMPTY_MEMORY,
  readHookMemory,
} from '../../packages/gateway/src/agents/hook/hook-memory.ts';
import type { HookHost } from '../../packages/gateway/src/agents/hook/hook-host.ts';
import { runHook } from '../../packages/gateway/src/agents/hook/run-hook.ts';
import { HOST_NAMES } from '../../packages/gateway/src/agents/host-name.ts';
import { loadHost } from '../../packages/gateway/src/agents/hosts.ts';
import { sampleMoments } from '../../packages/gateway/src/agents/install/sample-moments.ts';
import { Choices } from '../loop/fuzz-input.ts';
import { expectSame, expectTrue } from '../loop/fuzz-target.ts';
import type { FuzzTarget } from '../loop/fuzz-target.ts';

const hosts: readonly HookHost[] = await Promise.all(HOST_NAMES.map(loadHost));

const counts = { 'payloads that a host could not read': 0 };

/** What agents write to the standard input of the hook. */
export const hookTarget: FuzzTarget = {
  name: 'hook',
  counts,
  maxLength: 1500,
  seeds: HOST_NAMES.flatMap((name, choice) =>
    sampleMoments(name, 'session').map((moment) => ({ text: JSON.stringify(moment), choice })),
  ),
  words: [
    '"hook_event_name"',
    '"PostToolUse"',
    '"PreToolUse"',
    '"UserPromptSubmit"',
    '"session_id"',
    '"tool_name"',
    '"tool_input"',
    '"tool_response"',
    '"tool_use_id"',
    'null',
    '[]',
    '{}',
    '1',
  ],
  sources: ['packages/gateway/src/agents/'],
  run: async ({ text, choice }) => {
    const choices = new Choices(choice);
    const host = hosts[choices.below(hosts.length)];
    if (host === undefined) return;
    const veto = choices.flag();
    await checkSilence(host, text, veto);
    const payload = objectIn(text);
    const moment = payload && (await momentOf(host, payload));
    if (payload === undefined || moment === undefined) return;
    let memory = EMPTY_MEMORY;
    for (let turn = 0; turn < 3; turn++) {
      const folded = foldMoment(memory, { ...moment, canSpeak: true }, veto);
      const kept = JSON.stringify(folded.memory);
      expectSame(
        'what is remembered reads back',
        JSON.stringify(readHookMemory(JSON.parse(kept))),
        kept,
      );
      memory = folded.memory;
      if (folded.answer === undefined) continue;
      const printed = host.write(payload, folded.answer);
      expectTrue('an answer is JSON', isJson(printed), () => printed);
    }
  },
};

/** Whatever is wrong, the host hears nothing and its call goes on. */
async function checkSilence(host: HookHost, text: string, veto: boolean): Promise<void> {
  const store = (): never => {
    throw new Error('there is no folder');
  };
  const printed = await runHook(host, text, { store, veto });
  expectSame('the hook is silent where it cannot keep anything', printed, host.silence);
}

/** A host may throw: whoever asks it is silent then. */
async function momentOf(host: HookHost, payload: JsonObject): ReturnType<HookHost['read']> {
  try {
    return await host.read(payload);
  } catch {
    counts['payloads that a host could not read']++;
    return undefined;
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
