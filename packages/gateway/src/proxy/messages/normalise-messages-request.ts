import type { JsonObject, JsonValue } from '@holdfast/core';
import { isSameList } from '../json/is-same-list.ts';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import type { NormalisedRequest } from '../normalised-request.ts';
import type { TurnError } from '../turn/turn-error.ts';
import { normaliseMessagesTools } from './normalise-messages-tools.ts';
import { blocksOf } from './blocks-of.ts';

/**
 * Changes a Messages request so that local servers accept it, in its own protocol: what newer clients send,
 * servers refuse or misread. Returns the same body where no rule applies.
 */
export function normaliseMessagesRequest(
  body: JsonObject,
  rules: NormaliseRules,
): NormalisedRequest {
  const image = rules.images === 'refuse' ? listOf(body['messages']).findIndex(hasImage) : -1;
  if (image >= 0) return { ok: false, error: noImages(image) };
  const applied = new Set<keyof NormaliseRules>();
  let changed = normaliseMessagesTools(body, rules, applied);
  if (rules.systemInTheMiddle) changed = joinSystem(changed, applied);
  changed = normaliseResults(changed, rules, applied);
  return { ok: true, body: changed, applied: [...applied] };
}

function hasImage(message: JsonValue): boolean {
  return blocksOf(objectOf(message)['content']).some(
    ({ type, content }) =>
      type === 'image' || blocksOf(content).some((inner) => inner['type'] === 'image'),
  );
}

function noImages(at: number): TurnError {
  const why = 'this upstream is configured as one that cannot see (normalise.images: refuse)';
  return { kind: 'invalid-request', message: `messages[${at}] has an image, and ${why}` };
}

/** Claude Code has `system` messages behind the first turn; servers refuse the role, or break their template. */
function joinSystem(body: JsonObject, applied: Set<keyof NormaliseRules>): JsonObject {
  const messages = listOf(body['messages']);
  const isSystem = (message: JsonValue): boolean => SYSTEM.has(objectOf(message)['role']);
  if (!messages.some(isSystem)) return body;
  applied.add('systemInTheMiddle');
  const joined = messages
    .filter(isSystem)
    .flatMap((message) => blocksOf(objectOf(message)['content']));
  return {
    ...body,
    system: [...blocksOf(body['system']), ...joined],
    messages: messages.filter((message) => !isSystem(message)),
  };
}

const SYSTEM: ReadonlySet<JsonValue | undefined> = new Set(['system', 'developer']);

function normaliseResults(
  body: JsonObject,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonObject {
  const before = listOf(body['messages']);
  const messages = before.map((message) => {
    if (!isObject(message) || !Array.isArray(message['content'])) return message;
    const content = listOf(message['content']);
    const blocks = content.map((block) => normaliseResult(block, rules, applied));
    return isSameList(blocks, content) ? message : { ...message, content: blocks };
  });
  return isSameList(messages, before) ? body : { ...body, messages };
}

function normaliseResult(
  block: JsonValue,
  rules: NormaliseRules,
  applied: Set<keyof NormaliseRules>,
): JsonValue {
  if (!isObject(block) || block['type'] !== 'tool_result') return block;
  let { content } = block;
  if (rules.deferLoading && Array.isArray(content) && blocksOf(content).some(isReference)) {
    applied.add('deferLoading');
    content = blocksOf(content).map((inner) => (isReference(inner) ? nameTool(inner) : inner));
  }
  if (rules.emptyToolResults && isEmpty(content)) {
    applied.add('emptyToolResults');
    content = '(no output)';
  }
  return content === block['content'] || content === undefined ? block : { ...block, content };
}

function isReference({ type }: JsonObject): boolean {
  return type === 'tool_reference';
}

/** The tools that a search found are all in the request, as no local server loads them later. */
function nameTool({ tool_name: name }: JsonObject): JsonObject {
  return { type: 'text', text: `The tool ${textOf(name)} can be called now.` };
}

/** Models take nothing for an answer that is yet to come, and wait. */
function isEmpty(content: JsonValue | undefined): boolean {
  if (typeof content === 'string') return content.trim() === '';
  return blocksOf(content).every(({ type, text }) => type === 'text' && textOf(text).trim() === '');
}
