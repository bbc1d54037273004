import type { JsonObject, JsonValue } from '@holdfast/core';
import { labelLookAlikes } from '@holdfast/core/advise';
import { isObject } from '../../proxy/json/json-fields.ts';
import { mapListIn, mapTextsIn } from '../../proxy/json/map-texts.ts';

/**
 * What a server answered, with nothing in it that could be taken for ours: text that looks like our advice is
 * labelled, and fields that only the gateway writes are left out. The same object where there is nothing of that.
 */
export function asServerSaid<Reply extends JsonObject>(reply: Reply): Reply {
  const own = withoutOwnKeys(withoutOwnMeta(reply));
  return mapListIn(own, 'content', (block) => {
    const resource = isObject(block['resource'])
      ? mapTextsIn(block['resource'], 'text', labelLookAlikes)
      : undefined;
    const labelled = mapTextsIn(withoutOwnMeta(block), 'text', labelLookAlikes);
    return resource === undefined || resource === block['resource']
      ? labelled
      : { ...labelled, resource };
  }) as Reply;
}

/** The same for a result of any shape, such as the text that an agent got from a tool. */
export function asToolSaid(result: JsonValue): JsonValue {
  if (typeof result === 'string') return labelLookAlikes(result);
  return isObject(result) ? asServerSaid(result) : result;
}

/** The same for an error of the protocol, whose message a client may show to its model. */
export function asServerError<Fault extends object>(error: Fault): Fault {
  const message = 'message' in error ? error.message : undefined;
  if (typeof message !== 'string') return error;
  const labelled = labelLookAlikes(message);
  return labelled === message
    ? error
    : Object.assign(new Error(labelled), { ...error, message: labelled });
}

/** Keys that only the gateway writes. */
const OWN_KEY = /^(?:holdfast\/|circuit_)/i;

function withoutOwnMeta(object: JsonObject): JsonObject {
  const { _meta: meta } = object;
  if (!isObject(meta)) return object;
  const rest = withoutOwnKeys(meta);
  return rest === meta ? object : { ...object, _meta: rest };
}

function withoutOwnKeys(object: JsonObject): JsonObject {
  const keys = Object.keys(object);
  if (!keys.some((key) => OWN_KEY.test(key))) return object;
  return Object.fromEntries(Object.entries(object).filter(([key]) => !OWN_KEY.test(key)));
}
