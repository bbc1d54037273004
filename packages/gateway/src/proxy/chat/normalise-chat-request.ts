import type { JsonObject, JsonValue } from '@holdfast/core';
import type { NormaliseRules } from '../normalise-rules.ts';
import type { NormalisedRequest } from '../normalised-request.ts';
import type { TurnError } from '../turn/turn-error.ts';
import { joinSystemMessages } from './join-system-messages.ts';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, objectOf } from '../json/json-fields.ts';
import { normaliseChatMessage } from './normalise-chat-message.ts';
import { normaliseChatTools } from './normalise-chat-tools.ts';

/** Changes a chat request so that local servers accept it. Returns the same body where no rule applies. */
export function normaliseChatRequest(body: JsonObject, rules: NormaliseRules): NormalisedRequest {
  const messages = listOf(body['messages']);
  const image = rules.images === 'refuse' ? messages.findIndex(hasImage) : -1;
  if (image >= 0) return { ok: false, error: noImages(image) };
  const applied = new Set<keyof NormaliseRules>();
  const withTools = normaliseChatTools(body, rules, applied);
  const each = messages.map((message) => normaliseChatMessage(message, rules, applied));
  const joined = rules.systemInTheMiddle ? joinSystemMessages(each) : each;
  if (joined !== each) applied.add('systemInTheMiddle');
  return {
    ok: true,
    body: isSameList(joined, messages) ? withTools : { ...withTools, messages: joined },
    applied: [...applied],
  };
}

function hasImage(message: JsonValue): boolean {
  return listOf(objectOf(message)['content']).some(
    (part) => isObject(part) && IMAGES.has(part['type']),
  );
}

const IMAGES: ReadonlySet<JsonValue | undefined> = new Set(['image_url', 'input_image', 'image']);

function noImages(at: number): TurnError {
  const why = 'this upstream is configured as one that cannot see (normalise.images: refuse)';
  return { kind: 'invalid-request', message: `messages[${at}] has an image, and ${why}` };
}
