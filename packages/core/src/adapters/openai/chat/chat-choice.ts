import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import { AnswerReader } from '../../reading/answer-reader.ts';
import type { AnswerContext, AnswerEvent } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import { countOf, listOf, textOf } from '../../wire/json-fields.ts';
import { ChatCallFragments } from './chat-call-fragments.ts';

/** One choice of an answer: what the server says of it becomes the deltas that are told. */
export class ChatChoice {
  /** Why the server says it ended. */
  word: string | undefined;
  isFinished = false;
  readonly #reader: AnswerReader;
  readonly #native = new ChatCallFragments();
  readonly #foreign = new Map<number, number>();
  #deltas: JsonObject[] = [];
  /** What else the server says of the call that is being read. */
  #fields: JsonObject = {};
  #toldCalls = 0;

  constructor(context: AnswerContext, options: MendOptions) {
    const emit = (event: AnswerEvent): void => void this.#deltas.push(this.#deltaOf(event));
    this.#reader = new AnswerReader(context, options, emit);
  }

  /** Whether the end of a call that the server tells may still come behind the finish reason. */
  get mayGoOn(): boolean {
    return (this.word === 'stop' || this.word === 'tool_calls') && !this.#native.areWhole;
  }

  /** The deltas for one of the server's, or for its whole message; the very same where nothing changes. */
  read(part: JsonObject): readonly JsonObject[] {
    const { content, tool_calls: calls, ...others } = part;
    this.#reader.noteReasoning(textOf(part['reasoning_content']) || textOf(part['reasoning']));
    if (typeof content === 'string') this.#reader.readText(content);
    const foreign = this.#readCalls(calls);
    const deltas = this.#takeDeltas();
    const isQuiet = foreign.length === 0 && listOf(calls).length === 0;
    if (isQuiet && isSaid(deltas, content)) return [part];
    const [first, ...more] = [...deltas, ...foreign];
    if (first !== undefined) return [{ ...others, ...first }, ...more];
    // A text that is held back is told later; what is none, such as null, stays.
    const isHeld = content === undefined || (typeof content === 'string' && content !== '');
    const rest = isHeld ? others : { ...others, content };
    return Object.values(rest).some((value) => value !== null) ? [rest] : [];
  }

  /** The last deltas, and the word for why the choice ended. */
  finish(): { readonly deltas: readonly JsonObject[]; readonly word: string } {
    const { word = 'stop' } = this;
    const isCut = word === 'length' || word === 'content_filter';
    this.isFinished = true;
    for (const call of this.#native.calls) {
      this.#fields = call.fields;
      this.#reader.readCall(call, isCut);
    }
    this.#fields = {};
    this.#reader.end(isCut);
    const deltas = this.#takeDeltas();
    const hasCalls = this.#toldCalls > 0;
    if (word === 'tool_calls' && !hasCalls) return { deltas, word: 'stop' };
    return { deltas, word: word === 'stop' && hasCalls ? 'tool_calls' : word };
  }

  /** The answer broke off: what was held back is text, and a call that was begun is none. */
  breakOff(): readonly JsonObject[] {
    this.isFinished = true;
    this.#reader.end(true);
    return this.#takeDeltas();
  }

  /** Takes the calls that can be mended; what is left is of kinds that only OpenAI's servers know. */
  #readCalls(calls: JsonValue | undefined): readonly JsonObject[] {
    const own: JsonValue[] = [];
    const foreign: JsonObject[] = [];
    for (const call of listOf(calls)) {
      if (isForeign(call)) foreign.push({ tool_calls: [this.#placed(call)] });
      else own.push(call);
    }
    this.#native.read(own);
    return foreign;
  }

  #placed(call: JsonObject): JsonObject {
    const said = countOf(call['index']);
    let index = said === undefined ? undefined : this.#foreign.get(said);
    if (index === undefined) {
      index = this.#toldCalls++;
      if (said !== undefined) this.#foreign.set(said, index);
    }
    return { ...call, index };
  }

  #takeDeltas(): readonly JsonObject[] {
    const deltas = this.#deltas;
    this.#deltas = [];
    return deltas;
  }

  #deltaOf(event: AnswerEvent): JsonObject {
    if (event.type === 'text') return { content: event.text };
    if (event.type === 'reasoning') return { reasoning_content: event.text };
    const { id, name, json } = event.call;
    const called = { type: 'function', function: { name, arguments: json } };
    return { tool_calls: [{ ...this.#fields, index: this.#toldCalls++, id, ...called }] };
  }
}

/** Calls of custom tools, and of kinds that do not exist yet. */
function isForeign(call: JsonValue): call is JsonObject {
  if (!isJsonObject(call) || isJsonObject(call['function'])) return false;
  const type = textOf(call['type']);
  return isJsonObject(call['custom']) || (type !== '' && type !== 'function');
}

/** Whether the deltas say just what the content says. */
function isSaid(deltas: readonly JsonObject[], content: JsonValue | undefined): boolean {
  if (typeof content !== 'string' || content === '') return deltas.length === 0;
  return deltas.length === 1 && deltas[0]?.['content'] === content;
}
