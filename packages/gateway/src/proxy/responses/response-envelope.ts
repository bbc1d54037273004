import type { JsonObject, JsonValue } from '@holdfast/core';
import { objectOf, textOf } from '../json/json-fields.ts';
import type { FinishReason } from '../turn/finish-reason.ts';
import type { Usage } from '../turn/usage.ts';
import type { ResponseOptions } from './response-options.ts';
import { isSoundUsage, responsesUsage } from './responses-usage.ts';

/** Who answers, as an upstream says; '' for what it does not say. */
export interface ResponseStart {
  readonly id: string;
  readonly model: string;
  readonly created?: number;
}

/** How a response ended. */
export interface ResponseEnd {
  readonly output: readonly JsonObject[];
  readonly reason: FinishReason;
  readonly usage: Usage | undefined;
}

/** What SDKs expect of a response besides its output, where neither the request nor the upstream says it. */
const DEFAULTS: JsonObject = Object.freeze({
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
});

const IN_PROGRESS: JsonObject = Object.freeze({ status: 'in_progress', output: [], usage: null });

/** Makes the `response` of a stream's events and of a whole answer. */
export class ResponseEnvelope {
  readonly #options: ResponseOptions;
  readonly #asked: JsonObject;
  /** `#asked` as JSON, made before it is needed. */
  #askedJson: string | undefined;
  #start: JsonObject | undefined;
  /** The upstream's own response, if it speaks Responses. */
  #upstream: JsonObject = {};

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.#asked = { ...DEFAULTS, ...askedOf(options.request.body) };
  }

  /** Writes down what a response repeats of its request, which may be long, while nobody waits for it. */
  prepare(): void {
    this.#askedJson = JSON.stringify(this.#asked);
  }

  /** Keeps what the upstream says of its response, the last word counts. */
  adopt(response: JsonValue | undefined): void {
    this.#upstream = { ...this.#upstream, ...objectOf(response) };
  }

  /** Says once who answers; ids of other protocols look like nothing a client of Responses knows. */
  begin({ id, model, created }: ResponseStart = { id: '', model: '' }): void {
    if (this.#start !== undefined) return;
    const { request, wallTime } = this.#options;
    const isOurs = id !== '' && (this.#upstream['id'] === id || id.startsWith('resp_'));
    this.#start = {
      id: isOurs ? id : this.#options.nextId('resp_'),
      object: 'response',
      created_at: created ?? Math.floor(wallTime / 1000),
      model: model === '' ? request.model : model,
    };
  }

  /** The response while it is made, as JSON. */
  inProgress(): string {
    this.begin();
    // Of what the upstream says, the last word counts.
    if (Object.keys(this.#upstream).length > 0) return JSON.stringify(this.#make(IN_PROGRESS));
    const own = JSON.stringify({ ...this.#start, ...IN_PROGRESS });
    const asked = this.#askedJson ?? JSON.stringify(this.#asked);
    return `${own.slice(0, -1)},${asked.slice(1)}`;
  }

  ended({ output, reason, usage }: ResponseEnd): JsonObject {
    const details = INCOMPLETE.get(reason);
    return this.#make({
      status: details === undefined ? 'completed' : 'incomplete',
      error: null,
      incomplete_details: details === undefined ? null : this.#detailsOf(details),
      output,
      usage: this.#usageOf(usage),
    });
  }

  failed(error: JsonObject, output: readonly JsonObject[]): JsonObject {
    return this.#make({ status: 'failed', error, incomplete_details: null, output, usage: null });
  }

  #make(fields: JsonObject): JsonObject {
    this.begin();
    return { ...this.#asked, ...this.#upstream, ...this.#start, ...fields };
  }

  /** The upstream's own word stays where it means the same, as it may say more. */
  #detailsOf(reason: string): JsonObject {
    const said = objectOf(this.#upstream['incomplete_details']);
    return said['reason'] === reason || (textOf(said['reason']) !== '' && reason === LENGTH)
      ? said
      : { reason };
  }

  #usageOf(usage: Usage | undefined): JsonValue {
    const said = this.#upstream['usage'];
    if (said !== undefined && said !== null && isSoundUsage(said)) return said;
    return responsesUsage(usage ?? { inputTokens: 0, outputTokens: 0 });
  }
}

const LENGTH = 'max_output_tokens';
const INCOMPLETE: ReadonlyMap<FinishReason, string> = new Map([
  ['length', LENGTH],
  ['content-filter', 'content_filter'],
]);

/** What a response repeats of its request. Whatever was asked, only an upstream can store something. */
function askedOf(body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(DEFAULTS)
      .map((field) => [field, body[field] ?? null] as const)
      .filter(([field, value]) => value !== null && field !== 'store'),
  );
}
