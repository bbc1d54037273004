import type { JsonObject, JsonValue } from '@holdfast/core';
import type { TurnEvent } from '../turn/turn-event.ts';

type Start = Extract<TurnEvent, { type: 'start' }>;

/** What stands in for what an upstream does not say of itself. */
export interface ChatIdentity {
  readonly id: string;
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
}

const OBJECT = 'chat.completion.chunk';

/**
 * The fields around the choices of a chunk. The upstream's first chunk says who answers, and every chunk of
 * the turn says the same; what else a chunk has is kept.
 */
export class ChatEnvelope {
  #identity: ChatIdentity;
  #fields: JsonObject = {};

  constructor(fallback: ChatIdentity) {
    this.#identity = fallback;
  }

  /** Takes over what the upstream says of itself. */
  begin({ id, model, created }: Start): void {
    const fallback = this.#identity;
    this.#identity = {
      id: id || fallback.id,
      model: model || fallback.model,
      created: created ?? fallback.created,
    };
  }

  /** Takes over what else a chunk says. An error is none: text that was held back would be told as one. */
  adopt(body: JsonObject): void {
    if (Array.isArray(body['choices'])) this.#fields = body;
  }

  /** Whether a chunk needs no change around its choices. */
  fits(body: JsonObject): boolean {
    const { id, model, created } = this.#identity;
    return (
      body['id'] === id &&
      body['model'] === model &&
      body['created'] === created &&
      body['object'] === OBJECT
    );
  }

  /** A chunk with the fields of the latest one. `usage` is left out but where it is given. */
  around(choices: readonly JsonObject[], usage?: JsonValue): JsonObject {
    const { id, model, created } = this.#identity;
    const { choices: _choices, error: _error, usage: said, ...fields } = this.#fields;
    return {
      ...fields,
      id,
      object: OBJECT,
      created,
      model,
      choices,
      // Clients that asked for usage expect the field on every chunk.
      ...(usage !== undefined ? { usage } : said === null && { usage: null }),
    };
  }
}
