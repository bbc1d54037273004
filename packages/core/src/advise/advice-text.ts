import type { Advice, AdvicePart } from './advice.ts';
import { wordCount } from './advice-entry.ts';
import type { FailureType } from './classification.ts';
import { plainLine, safeEvidence } from './evidence.ts';
import type { Loop } from './loops/loop.ts';

/** How every text for the model begins. */
export const ADVICE_PREFIX = '⚠️ Tool guidance: ';

/** How every line for the log begins. */
export const LOG_PREFIX = '[Fallback] ';

/** No part is longer: models read short texts. */
export const MAX_PART_WORDS = 60;

/** The parts as one text for the model, and as one line for the log. */
export function joinAdvice(parts: readonly AdvicePart[]): Advice {
  const texts = parts.map(({ text }) => text);
  return { text: ADVICE_PREFIX + texts.join('\n'), parts, log: LOG_PREFIX + texts.join(' ') };
}

/** What a failure part is made of. */
export interface FailureFacts {
  readonly loop: Pick<Loop, 'rule' | 'times'>;
  readonly tool: string;
  readonly type: FailureType;
  readonly evidence: string;
  /** The next step, from the map. */
  readonly text: string;
}

/** What failed, how often, what it said, and what to do. */
export function failureText({ loop, tool, type, evidence, text }: FailureFacts): string {
  return withQuote(headOf(loop, shownName(tool), type), evidence, text);
}

function headOf({ rule, times }: Pick<Loop, 'rule' | 'times'>, tool: string, type: string): string {
  if (rule === 'same-call')
    return `The same ${tool} call failed ${often(times)} and nothing has changed in between (${type}).`;
  if (rule === 'same-error')
    return `${tool} failed ${often(times)} with the same error, whatever the arguments (${type}).`;
  return `${tool} failed${times > 1 ? ` ${times} times in a row` : ''} (${type}).`;
}

/** Calls that lead nowhere, whatever they return. */
export function loopText({ rule, times, period, tools }: Loop): string {
  const names = tools.slice(0, 4).map(shownName).join(', ');
  if (rule === 'cycle')
    return (
      `The last ${period * times} steps went round in a circle of ${period} (${names}), ${often(times)}, with ` +
      'the same results. Say what is still missing, and get it another way. Do not begin the circle again.'
    );
  return (
    `The same ${names} call gave the same result ${often(times)}. Work with the result you have, or ask for ` +
    'something else. Do not send this call again.'
  );
}

/** A tool that is not there. `nearest` are the names it may have meant. */
export function unknownToolText(tool: string, times: number, nearest: readonly string[]): string {
  const meant = nearest.map(shownName).join(' or ');
  const next =
    meant === ''
      ? 'Use only tools that were offered, by their exact names.'
      : `Use ${meant} if that is meant.`;
  const again = times > 1 ? `, called ${often(times)}` : '';
  return `There is no tool named ${shownName(tool)} (unknown_tool)${again}. ${next} Do not call it again.`;
}

/** In place of the result of a call that was stopped. */
export function vetoText(tool: string, why: string): string {
  return (
    `This ${shownName(tool)} call was not run: ${why}. Change the arguments, change something it depends on, use ` +
    'another tool, or ask the user. Do not send it again as it is.'
  );
}

/** Where stopping a call did not help. */
export function askUserText(tool: string): string {
  return (
    `This ${shownName(tool)} call was stopped several times and came again. It runs now, but it is unlikely to ` +
    'help: tell the user what you tried and ask how to go on. Do not send it again.'
  );
}

/** The evidence gets what room is left; it is marked as data, and nothing in it can end the quotation. */
function withQuote(head: string, evidence: string, text: string): string {
  const room = MAX_PART_WORDS - wordCount(head) - wordCount(text) - wordCount(QUOTE);
  const quoted = safeEvidence(evidence, room);
  return quoted === '' ? `${head} ${text}` : `${head} ${QUOTE} "${quoted}". ${text}`;
}

const QUOTE = 'Its output, quoted:';

export function often(times: number): string {
  return times === 1 ? 'once' : `${times} times`;
}

/** A tool's name, which a model or a server made up, as one short word. */
function shownName(tool: string): string {
  const plain = plainLine(tool.slice(0, 200)).replace(/[^\p{L}\p{N}_.:/-]+/gu, '_');
  return plain.length > 64 ? `${plain.slice(0, 64)}…` : plain;
}
