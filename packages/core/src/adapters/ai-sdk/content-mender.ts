import type { AnswerEvent, AnswerReader } from '../reading/answer-reader.ts';
import { isClientCall, textIn } from './ai-parts.ts';
import type { PartLike } from './ai-parts.ts';
import { mayBeCut, mendCallPart } from './mend-call-part.ts';

/** Mends the content of a whole answer, part by part, as `PartMender` does with that of a stream. */
export class ContentMender {
  readonly #reader: AnswerReader;
  readonly #content: PartLike[] = [];
  /** What the text that is being read has said so far. */
  #events: AnswerEvent[] = [];
  #text: PartLike | undefined;
  #call: PartLike | undefined;

  constructor(openReader: (emit: (event: AnswerEvent) => void) => AnswerReader) {
    this.#reader = openReader((event) => this.#events.push(event));
  }

  get callCount(): number {
    return this.#reader.callCount;
  }

  read(part: PartLike): void {
    this.#settle();
    if (part.type === 'text') {
      this.#text = part;
      this.#reader.readText(textIn(part, 'text'));
      this.#reader.endText();
    } else if (part.type === 'tool-call' && isClientCall(part)) {
      if (mayBeCut(part)) this.#call = part;
      else this.#content.push(mendCallPart(part, this.#reader));
    } else {
      if (part.type === 'reasoning') this.#reader.noteReasoning(textIn(part, 'text'));
      this.#content.push(part);
    }
  }

  /** All of it. */
  end(isCut: boolean): readonly PartLike[] {
    if (isCut) this.#call = undefined;
    this.#tellCall();
    this.#reader.end(isCut);
    this.#tellText();
    return this.#content;
  }

  #settle(): void {
    this.#tellCall();
    this.#reader.settle();
    this.#tellText();
  }

  #tellCall(): void {
    if (this.#call === undefined) return;
    this.#content.push(mendCallPart(this.#call, this.#reader));
    this.#call = undefined;
  }

  #tellText(): void {
    const { source, parts } = { source: this.#text, parts: joinEvents(this.#events) };
    this.#text = undefined;
    this.#events = [];
    const [first, second] = parts;
    const isSame = first?.type === 'text' && first.text === (source && textIn(source, 'text'));
    if (source !== undefined && (first === undefined || (isSame && second === undefined))) {
      this.#content.push(source);
      return;
    }
    // What else is said of the text goes with the first piece of it.
    const owner = parts.find(({ type }) => type === 'text');
    for (const part of parts)
      this.#content.push(part === owner && source !== undefined ? { ...source, ...part } : part);
  }
}

type Part =
  | { readonly type: 'text' | 'reasoning'; text: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: string;
    };

/** Events as parts: what follows each other and is of one kind is one part. */
function joinEvents(events: readonly AnswerEvent[]): readonly Part[] {
  const parts: Part[] = [];
  for (const event of events) {
    const last = parts.at(-1);
    if (event.type === 'call') {
      const { id, name, json } = event.call;
      parts.push({ type: 'tool-call', toolCallId: id, toolName: name, input: json });
    } else if (last?.type === event.type) last.text += event.text;
    else parts.push({ type: event.type, text: event.text });
  }
  return parts;
}
