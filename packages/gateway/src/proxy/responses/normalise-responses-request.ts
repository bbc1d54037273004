import type { JsonObject, JsonValue } from '@holdfast/core';
import type { Refused } from '../client-protocol.ts';
import { isObject, listOf } from '../json/json-fields.ts';
import type { NormaliseRules } from '../normalise-rules.ts';
import type { NormalisedRequest } from '../normalised-request.ts';
import { joinInstructions } from './join-instructions.ts';
import { normaliseResponseItems } from './normalise-response-items.ts';
import { normaliseResponseTools } from './normalise-response-tools.ts';

/**
 * Changes a Responses request so that local servers accept it, in its own protocol: llama.cpp takes no tools but
 * functions, and no items but messages, calls, results and reasoning. Returns the same body where no rule applies.
 */
export function normaliseResponsesRequest(
  body: JsonObject,
  rules: NormaliseRules,
): NormalisedRequest {
  const image = rules.images === 'refuse' ? listOf(body['input']).findIndex(hasImage) : -1;
  if (image >= 0) return noImages(`input[${image}]`);
  const applied = new Set<keyof NormaliseRules>();
  const withTools = normaliseResponseTools(body, rules, applied);
  let changed = normaliseResponseItems(withTools, rules, applied);
  if (rules.systemInTheMiddle) {
    const joined = joinInstructions(changed);
    if (joined !== changed) applied.add('systemInTheMiddle');
    changed = joined;
  }
  return { ok: true, body: changed, applied: [...applied] };
}

function hasImage(item: JsonValue): boolean {
  if (!isObject(item)) return false;
  return [...listOf(item['content']), ...listOf(item['output'])].some(
    (part) => isObject(part) && part['type'] === 'input_image',
  );
}

function noImages(param: string): Refused {
  const why = 'this upstream is configured as one that cannot see (normalise.images: refuse)';
  const message = `${param} has an image, and ${why}`;
  return { ok: false, error: { kind: 'invalid-request', message, details: { param } } };
}
