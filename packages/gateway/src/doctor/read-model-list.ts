import { isObject, listOf, textOf } from '../proxy/json/json-fields.ts';
import { readJsonObject } from '../proxy/json/read-json-object.ts';

/** What `GET /v1/models` says. */
export interface ModelList {
  readonly ids: readonly string[];
  /** Who the models belong to, each once: servers put their own name there. */
  readonly owners: readonly string[];
}

/** Reads a list of models; undefined for what is none. */
export function readModelList(text: string): ModelList | undefined {
  const body = readJsonObject(text);
  if (body === undefined) return undefined;
  // Some servers say "models".
  const field = body['data'] ?? body['models'];
  if (!Array.isArray(field)) return undefined;
  const models = listOf(field).filter(isObject);
  const ids = models.map((model) => textOf(model['id']) || textOf(model['name']));
  const owners = models.map((model) => textOf(model['owned_by']));
  return {
    ids: ids.filter((id) => id !== ''),
    owners: [...new Set(owners.filter((owner) => owner !== ''))],
  };
}

/** Models that write no text. */
const NOT_FOR_CHAT = /embed|rerank|whisper|bge-|tts|diffusion/i;

/** The model to ask when nobody named one: the first that can chat. */
export function firstChatModel(ids: readonly string[]): string | undefined {
  return ids.find((id) => !NOT_FOR_CHAT.test(id)) ?? ids[0];
}
