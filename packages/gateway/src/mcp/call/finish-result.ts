import type { JsonObject } from '@holdfast/core';
import { ADVICE_PREFIX } from '@holdfast/core/advise';
import type { CheckRepair } from '@holdfast/core/check';
import { listOf, objectOf } from '../../proxy/json/json-fields.ts';
import { textBlock } from '../messages.ts';
import type { CallResult } from '../messages.ts';
import type { Truncation } from './cut-result.ts';
import { cutResult } from './cut-result.ts';

/** More repairs of one call are counted, not listed. */
const MOST_REPAIRS = 20;

/** What is added to a result on its way to the client. */
export interface Additions {
  /** Into `_meta`, over what the server has there under the same names. */
  readonly metadata: JsonObject;
  readonly repairs: readonly CheckRepair[];
  readonly maxBytes: number;
  /** What the model should hear besides. */
  readonly advice: string | undefined;
  /** The signature of advice; undefined where it gets none. */
  readonly sign: (advice: string) => string | undefined;
}

/** A result as the client gets it, and how much of it is missing. */
export interface FinishedResult {
  readonly result: CallResult;
  readonly truncation: Truncation | undefined;
}

/**
 * Cuts a result that is too large, adds advice after it, and writes what the client should know into `_meta`. All
 * else stays the very same: `structuredContent`, blocks, and the list of blocks where nothing is added to it.
 */
export function finishResult(result: CallResult, additions: Additions): FinishedResult {
  const { metadata, repairs, maxBytes } = additions;
  const given = adviceIn(result);
  const advice = given === undefined ? additions.advice : undefined;
  const said = given ?? advice;
  const signature = said === undefined ? undefined : additions.sign(said);
  const added = [advice, signature].filter((text) => text !== undefined).map(textBlock);
  const cut = cutResult(result, maxBytes);
  const truncation = cut?.truncation;
  const _meta = {
    ...objectOf(result['_meta']),
    ...metadata,
    ...(repairs.length === 0 ? {} : { 'holdfast/repairs': sentencesOf(repairs) }),
    ...(truncation === undefined ? {} : { 'holdfast/truncated': truncation }),
  };
  if (cut === undefined && added.length === 0) return { result: { ...result, _meta }, truncation };
  const blocks = cut?.content ?? listOf(result.content).map(objectOf);
  const content = added.length === 0 ? blocks : [...blocks, ...added];
  return { result: { ...result, content, _meta }, truncation };
}

/**
 * A plugin may have given advice already: two of them would read as an order to do both. What a server wrote is
 * labelled by now.
 */
function adviceIn({ content }: CallResult): string | undefined {
  const { type, text } = objectOf(listOf(content).at(-1));
  const isAdvice = type === 'text' && typeof text === 'string' && text.startsWith(ADVICE_PREFIX);
  return isAdvice ? text : undefined;
}

function sentencesOf(repairs: readonly CheckRepair[]): readonly string[] {
  const sentences = repairs.slice(0, MOST_REPAIRS).map(({ message }) => message);
  const rest = repairs.length - sentences.length;
  return rest > 0 ? [...sentences, `and ${rest} more`] : sentences;
}
