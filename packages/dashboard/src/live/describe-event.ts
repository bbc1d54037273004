import { formatDuration } from '../format/duration.ts';
import { counted } from '../format/number.ts';
import { inWords, reasonInWords } from '../format/words.ts';
import { numberOf, textOf } from './live-event.ts';
import type { LiveEvent } from './live-event.ts';

export type EventTone = 'bad' | 'warn' | 'good' | 'plain';

/** An event in words: what it is about, and what happened to it. */
export interface DescribedEvent {
  readonly tone: EventTone;
  readonly about: string;
  readonly text: string;
}

/** Undefined for what happens all the time and needs nobody: calls and turns that went well. */
export function describeEvent(event: LiveEvent): DescribedEvent | undefined {
  switch (event.type) {
    case 'circuit-opened':
      return opened(event);
    case 'circuit-half-opened':
      return {
        tone: 'warn',
        about: textOf(event, 'circuit'),
        text: 'is half-open: single calls may try',
      };
    case 'circuit-closed':
      return {
        tone: 'good',
        about: textOf(event, 'circuit'),
        text: `closed: ${reasonInWords(textOf(event, 'reason'))}`,
      };
    case 'call-ended':
      return callEnded(event);
    case 'turn-ended':
      return turnEnded(event);
    case 'call-timed-out':
      return {
        tone: 'bad',
        about: textOf(event, 'name'),
        text: `timed out after ${formatDuration(numberOf(event, 'timeout_ms') ?? 0)}`,
      };
    case 'advice-given':
      return {
        tone: 'plain',
        about: textOf(event, 'tool'),
        text: `the model was advised (${rules(event)})`,
      };
    case 'call-vetoed':
      return {
        tone: 'warn',
        about: textOf(event, 'tool'),
        text: `a call was stopped: ${inWords(textOf(event, 'rule'))}`,
      };
    case 'server-changed':
      return serverChanged(event);
    case 'tool-redefined':
      return {
        tone: 'bad',
        about: nameOfTool(event),
        text:
          event['quarantined'] === true
            ? 'is no longer what it was: held back until it is approved'
            : 'is no longer what it was',
      };
    case 'config-loaded':
      return { tone: 'plain', about: 'Configuration', text: 'was loaded anew' };
    default:
      return undefined;
  }
}

function opened(event: LiveEvent): DescribedEvent {
  const reason = textOf(event, 'reason');
  const openForMs = numberOf(event, 'open_for_ms');
  const forHow = openForMs === undefined ? 'until it is reset' : `for ${formatDuration(openForMs)}`;
  const isByHand = reason === 'isolated';
  return {
    tone: isByHand ? 'warn' : 'bad',
    about: textOf(event, 'circuit'),
    text: isByHand ? `was isolated ${forHow}` : `opened ${forHow}: ${reasonInWords(reason)}`,
  };
}

function callEnded(event: LiveEvent): DescribedEvent | undefined {
  // What a circuit refuses is told by the circuit, and by the numbers: it comes in floods.
  if (textOf(event, 'outcome') !== 'failed') return undefined;
  const message = textOf(event, 'message');
  return {
    tone: 'bad',
    about: nameOfTool(event),
    text: message === '' ? `failed: ${inWords(textOf(event, 'class'))}` : `failed: ${message}`,
  };
}

/** `server / tool`, as the lists say it. */
export function nameOfTool(event: LiveEvent): string {
  const server = textOf(event, 'server');
  return server === '' ? textOf(event, 'tool') : `${server} / ${textOf(event, 'tool')}`;
}

function turnEnded(event: LiveEvent): DescribedEvent | undefined {
  const about = textOf(event, 'model');
  const { error, repairs } = event;
  if (typeof error === 'object' && error !== null && 'message' in error) {
    return { tone: 'bad', about, text: `failed: ${String(error.message)}` };
  }
  if (!Array.isArray(repairs) || repairs.length === 0) return undefined;
  return {
    tone: 'plain',
    about,
    text: `${counted(repairs.length, 'repair')}: ${repairs.join(', ')}`,
  };
}

function serverChanged(event: LiveEvent): DescribedEvent {
  const state = textOf(event, 'state');
  const reason = textOf(event, 'reason');
  return {
    tone: state === 'connected' ? 'good' : state === 'lost' ? 'bad' : 'plain',
    about: textOf(event, 'server'),
    text: `is ${state}${reason === '' ? '' : `: ${reason}`}`,
  };
}

function rules(event: LiveEvent): string {
  const { rules: given } = event;
  return Array.isArray(given) ? given.map((rule) => inWords(String(rule))).join(', ') : '';
}
