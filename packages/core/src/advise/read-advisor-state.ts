import { FAILURE_TYPES } from '../internal/failure-types.ts';
import type { Advice, AdvicePart } from './advice.ts';
import type { AdvisorState, PendingCall, SaidBefore, VetoRecord } from './advisor-state.ts';
import { EMPTY_STATE, STATE_BOUNDS } from './advisor-state.ts';
import type { Classification, FailureType } from './classification.ts';
import type { FailureRecord } from './history.ts';
import type { RecentCall } from './recent-call.ts';
import { RULE_RANKS } from './said.ts';

/**
 * A state from whatever was stored. What is missing, wrong or too much is left out: a broken store costs the
 * memory of a conversation, never the conversation.
 */
export function readAdvisorState(value: unknown): AdvisorState {
  if (!isRecord(value) || value['version'] !== EMPTY_STATE.version) return EMPTY_STATE;
  const stepBack = isRecord(value['stepBack']) ? value['stepBack'] : {};
  return {
    version: EMPTY_STATE.version,
    history: readList(value['history'], STATE_BOUNDS.history, readFailure),
    consecutive: readCounts(value['consecutive']),
    stepBack: {
      window: readList(stepBack['window'], STATE_BOUNDS.window, (failed) =>
        typeof failed === 'boolean' ? failed : undefined,
      ),
      isShown: stepBack['isShown'] === true,
      successes: readCount(stepBack['successes']),
    },
    calls: readList(value['calls'], STATE_BOUNDS.calls, readCall),
    said: readList(value['said'], STATE_BOUNDS.said, readSaid),
    vetoes: readList(value['vetoes'], STATE_BOUNDS.vetoes, readVeto),
    pending: readList(value['pending'], STATE_BOUNDS.pending, readPending),
    round: readCount(value['round']),
    roundIsOpen: value['roundIsOpen'] === true,
    namedRound: readText(value['namedRound']) ?? '',
    queued: readAdvice(value['queued']) ?? null,
  };
}

/** Longer texts were never stored by us. */
const MAX_TEXT = 4096;

function readFailure(value: unknown): FailureRecord | undefined {
  if (!isRecord(value)) return undefined;
  const tool = readText(value['tool']);
  const type = readType(value['type']);
  const preview = readText(value['preview']);
  if (tool === undefined || type === undefined || preview === undefined) return undefined;
  return { tool, type, preview };
}

function readCall(value: unknown): RecentCall | undefined {
  if (!isRecord(value)) return undefined;
  const tool = readText(value['tool']);
  const call = readText(value['call']);
  const status = value['status'];
  if (tool === undefined || call === undefined || !isStatus(status)) return undefined;
  return {
    tool,
    call,
    result: readText(value['result']) ?? '',
    error: readText(value['error']) ?? '',
    status,
    type: readType(value['type']) ?? null,
    round: readCount(value['round']),
    changed: value['changed'] === true,
    looked: value['looked'] === true,
    mayRepeat: value['mayRepeat'] === true,
    isSure: value['isSure'] === true,
  };
}

function readSaid(value: unknown): SaidBefore | undefined {
  const about = isRecord(value) ? readText(value['about']) : undefined;
  if (!isRecord(value) || about === undefined) return undefined;
  const { times, rank, round } = value;
  return { about, times: readCount(times), rank: readCount(rank), round: readCount(round) };
}

function readVeto(value: unknown): VetoRecord | undefined {
  const call = isRecord(value) ? readText(value['call']) : undefined;
  if (!isRecord(value) || call === undefined) return undefined;
  return { call, times: readCount(value['times']) };
}

function readPending(value: unknown): PendingCall | undefined {
  const key = isRecord(value) ? readText(value['key']) : undefined;
  if (!isRecord(value) || key === undefined) return undefined;
  return { key, round: readCount(value['round']) };
}

function readAdvice(value: unknown): Advice | undefined {
  if (!isRecord(value)) return undefined;
  const text = readText(value['text']);
  const log = readText(value['log']);
  if (text === undefined || log === undefined) return undefined;
  return { text, parts: readList(value['parts'], 2, readPart), log };
}

function readPart(value: unknown): AdvicePart | undefined {
  if (!isRecord(value)) return undefined;
  const { rule, text } = value;
  if (!isRule(rule) || typeof text !== 'string') return undefined;
  return { rule, text };
}

function readCounts(value: unknown): Readonly<Record<string, number>> {
  if (!isRecord(value)) return {};
  const counts = Object.entries(value)
    .map(([tool, failures]) => [tool, readCount(failures)] as const)
    .filter(([tool, failures]) => tool.length <= MAX_TEXT && failures > 0);
  return Object.fromEntries(counts.slice(-STATE_BOUNDS.tools));
}

function readList<Item>(
  value: unknown,
  most: number,
  read: (item: unknown) => Item | undefined,
): readonly Item[] {
  if (!Array.isArray(value)) return [];
  return value.slice(-most).flatMap((item: unknown) => read(item) ?? []);
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined;
}

function readCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function readType(value: unknown): FailureType | undefined {
  return isType(value) ? value : undefined;
}

function isType(value: unknown): value is FailureType {
  return typeof value === 'string' && Object.hasOwn(FAILURE_TYPES, value);
}

function isRule(value: unknown): value is AdvicePart['rule'] {
  return typeof value === 'string' && Object.hasOwn(RULE_RANKS, value);
}

function isStatus(value: unknown): value is Classification['status'] {
  return ['success', 'failure', 'unknown', 'neutral'].includes(value as string);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
