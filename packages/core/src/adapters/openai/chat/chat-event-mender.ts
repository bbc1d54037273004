import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject } from '../../../types.ts';
import type { AnswerContext } from '../../reading/answer-reader.ts';
import type { MendOptions } from '../../reading/mend-options.ts';
import type { PieceMender } from '../../reading/mend-stream.ts';
import { countOf, listOf, objectOf, textOf } from '../../wire/json-fields.ts';
import { wireEvent } from '../../wire/wire-event.ts';
import type { WireEvent } from '../../wire/wire-event.ts';
import { ANSWER_BROKE_OFF } from '../../wire/answer-broke-off.ts';
import { ChatChoice } from './chat-choice.ts';

/** What is said of one choice in a chunk. */
interface Said {
  readonly index: number;
  readonly deltas: readonly JsonObject[];
  readonly word: string | null;
  /** Other fields, such as `logprobs`. */
  readonly others: JsonObject;
}

/** Mends a stream of Chat Completions. */
export class ChatEventMender implements PieceMender<WireEvent> {
  readonly #context: AnswerContext;
  readonly #options: MendOptions;
  readonly #choices = new Map<number, ChatChoice>();
  /** What chunks have in common. */
  #envelope: JsonObject = {};
  #isOver = false;

  constructor(context: AnswerContext, options: MendOptions) {
    this.#context = context;
    this.#options = options;
  }

  read(event: WireEvent): readonly WireEvent[] {
    const { body, data } = event;
    if (this.#isOver) return [event];
    if (data.trim() === '[DONE]') {
      this.#isOver = true;
      return [...this.#finishAll(), event];
    }
    // What is no JSON the SDK itself complains of.
    if (body === undefined) return [event];
    if (isJsonObject(body['error'])) {
      this.#isOver = true;
      return [...this.#breakOff(), event];
    }
    return this.#readChunk(event, body);
  }

  end(how: 'over' | 'broken'): readonly WireEvent[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const choices = [...this.#choices.values()];
    const isFinished = choices.length > 0 && choices.every(({ word }) => word !== undefined);
    if (how === 'over' && isFinished) return this.#finishAll();
    const error = wireEvent({ error: { ...ANSWER_BROKE_OFF, param: null } });
    return how === 'over' ? [...this.#breakOff(), error] : this.#breakOff();
  }

  #readChunk(event: WireEvent, body: JsonObject): readonly WireEvent[] {
    const { choices, usage, ...envelope } = body;
    if (listOf(choices).length === 0) return [event];
    this.#envelope = envelope;
    const said = listOf(choices).flatMap((choice, position) =>
      isJsonObject(choice) ? [this.#readChoice(choice, position)] : [],
    );
    if (said.every(isAsItCame)) return [event];
    const chunks = said.flatMap((each) => chunksOf(each.said));
    // The usage of a chunk goes with the last that is made of it.
    if (chunks.length === 0)
      return isJsonObject(usage) ? [wireEvent({ ...envelope, choices: [], usage })] : [];
    return chunks.map((choice, at) => {
      const isLast = at === chunks.length - 1;
      const told = usage === undefined ? {} : { usage: isLast ? usage : null };
      return wireEvent({ ...envelope, choices: [choice], ...told });
    });
  }

  #readChoice(
    choice: JsonObject,
    position: number,
  ): { readonly said: Said; readonly from: JsonObject } {
    const { index: number, delta, message, finish_reason: reason, ...others } = choice;
    const index = countOf(number) ?? position;
    const own = this.#choiceAt(index);
    if (own.isFinished)
      return { said: { index, deltas: [], word: null, others: {} }, from: choice };
    const deltas = own.read(objectOf(isJsonObject(delta) ? delta : message));
    if (textOf(reason) !== '') own.word ??= textOf(reason);
    if (own.word === undefined || own.mayGoOn)
      return { said: { index, deltas, word: null, others }, from: choice };
    const end = own.finish();
    const all = [...deltas, ...end.deltas];
    return { said: { index, deltas: all, word: end.word, others }, from: choice };
  }

  #choiceAt(index: number): ChatChoice {
    let choice = this.#choices.get(index);
    if (choice === undefined) {
      choice = new ChatChoice(this.#context, this.#options);
      this.#choices.set(index, choice);
    }
    return choice;
  }

  /** A server that says that this is all, and not why, has stopped. */
  #finishAll(): readonly WireEvent[] {
    return this.#eachUnfinished((choice) => choice.finish());
  }

  #breakOff(): readonly WireEvent[] {
    return this.#eachUnfinished((choice) => ({ deltas: choice.breakOff(), word: null }));
  }

  #eachUnfinished(
    end: (choice: ChatChoice) => Pick<Said, 'deltas' | 'word'>,
  ): readonly WireEvent[] {
    return [...this.#choices].flatMap(([index, choice]) => {
      if (choice.isFinished) return [];
      const chunks = chunksOf({ index, others: {}, ...end(choice) });
      return chunks.map((chunk) => wireEvent({ ...this.#envelope, choices: [chunk] }));
    });
  }
}

function isAsItCame({ said, from }: { readonly said: Said; readonly from: JsonObject }): boolean {
  const [delta] = said.deltas;
  const word = textOf(from['finish_reason']) === '' ? null : from['finish_reason'];
  return said.deltas.length === 1 && delta === from['delta'] && said.word === word;
}

function chunksOf({ index, deltas, word, others }: Said): readonly JsonObject[] {
  const full = deltas.filter((delta) => Object.keys(delta).length > 0);
  const told = full.length > 0 || word === null ? full : [{}];
  return told.map((delta, at) => ({
    ...(at === 0 ? others : {}),
    index,
    delta,
    finish_reason: at === told.length - 1 ? word : null,
  }));
}
