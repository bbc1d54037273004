import type { JsonObject, JsonValue } from '@holdfast/core';
import { isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';

/** A model that an upstream offers. */
export interface ListedModel {
  readonly id: string;
  readonly displayName: string;
  readonly ownedBy: string;
  /** Seconds since 1970; 0 where nobody says, as Anthropic has it too. */
  readonly createdAt: number;
}

/**
 * Reads a list of models in whatever shape a server has it: OpenAI's and Anthropic's `data`, Ollama's `models`,
 * a bare list, of objects or of names. Anything else is a list of none.
 */
export function readModels(answer: unknown): ListedModel[] {
  const { data, models } = objectOf(answer);
  const list = Array.isArray(answer) ? (answer as readonly JsonValue[]) : listOf(data ?? models);
  const read = list.map(readModel).filter((model) => model !== undefined);
  return [...new Map(read.map((model) => [model.id, model])).values()];
}

/** One list that the clients of OpenAI and of Anthropic both accept. */
export function modelsList(models: readonly ListedModel[]): JsonObject {
  return {
    object: 'list',
    data: models.map(modelObject),
    has_more: false,
    first_id: models.at(0)?.id ?? null,
    last_id: models.at(-1)?.id ?? null,
  };
}

/** One model as both families of clients know it. */
export function modelObject({ id, displayName, ownedBy, createdAt }: ListedModel): JsonObject {
  return {
    id,
    object: 'model',
    created: createdAt,
    owned_by: ownedBy,
    type: 'model',
    display_name: displayName,
    created_at: new Date(createdAt * 1000).toISOString().replace('.000Z', 'Z'),
  };
}

/** The model of `GET /v1/models/:id`, by what the path has behind `/v1/models/`: ids may have slashes in them. */
export function findModel(models: readonly ListedModel[], path: string): ListedModel | undefined {
  const id = decode(path);
  return models.find((model) => model.id === id);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function readModel(value: JsonValue): ListedModel | undefined {
  const fields = isObject(value) ? value : { id: value };
  const id = firstText(fields['id'], fields['model'], fields['name'], fields['key']);
  if (id === '') return undefined;
  return {
    id,
    displayName: firstText(fields['display_name'], fields['name'], id),
    ownedBy: firstText(fields['owned_by'], 'upstream'),
    createdAt: secondsOf(fields['created'] ?? fields['created_at'] ?? fields['modified_at']),
  };
}

function firstText(...values: readonly (JsonValue | undefined)[]): string {
  return values.map(textOf).find((text) => text !== '') ?? '';
}

/** The latest time a date can have. */
const LATEST_SECONDS = 8_640_000_000_000;

function secondsOf(value: JsonValue | undefined): number {
  const seconds = typeof value === 'string' ? Date.parse(value) / 1000 : value;
  if (typeof seconds !== 'number' || !(seconds > 0 && seconds <= LATEST_SECONDS)) return 0;
  return Math.floor(seconds);
}
