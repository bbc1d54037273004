import type { JsonValue } from '@holdfast/core';
import { isObject } from '../json/json-fields.ts';
import type { UpstreamEvent, UpstreamFrame } from './upstream-event.ts';

/**
 * Whether a frame shows that the upstream is at work: text, reasoning, part of a call, usage, an end or progress.
 * A ping or an empty or blank delta only keeps the connection open.
 */
export function bringsContent({ events, body, eventName }: UpstreamFrame): boolean {
  if (events.some(isContent)) return true;
  if (body === undefined) return false;
  const { type = eventName, prompt_progress: promptProgress } = body;
  return isObject(promptProgress) || (typeof type === 'string' && PROGRESS.has(type));
}

function isContent(event: UpstreamEvent): boolean {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return hasText(event.text);
    case 'call-fragment':
      return event.id !== undefined || event.name !== undefined || hasText(event.json ?? '');
    case 'opaque': {
      const { type, delta = null } = event.content;
      // An event of a provider, such as the start of a search, says something even where it has no text.
      return type === undefined || delta !== null ? isFilled(event.content) : true;
    }
    case 'start':
      return false;
    case 'finish':
    case 'usage':
    case 'done':
    case 'error':
      return true;
  }
}

/** Whether some text is in it that is no name of what it is part of. */
function isFilled(value: JsonValue): boolean {
  if (typeof value === 'string') return hasText(value);
  if (Array.isArray(value)) return value.some((each: JsonValue) => isFilled(each));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([field, each]) => !NAMES.has(field) && isFilled(each));
}

function hasText(text: string): boolean {
  return /\S/.test(text);
}

/** States of a Responses turn that has no items yet, which its reader passes over when they are repeated. */
const PROGRESS: ReadonlySet<string> = new Set(['response.queued', 'response.in_progress']);
const NAMES: ReadonlySet<string> = new Set(['type', 'id', 'item_id', 'obfuscation']);
