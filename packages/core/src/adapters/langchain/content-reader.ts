import { isRecord, textIn } from '../../advise/conversation/record.ts';
import type { AnswerCall, NativeCall } from '../reading/answer-call.ts';
import type { AnswerEvent, AnswerReader } from '../reading/answer-reader.ts';

/** What was found in a piece of an answer. */
export interface Found {
  /** The content, without calls and reasoning; the very same where nothing was taken from it. */
  readonly content: unknown;
  readonly reasoning: string;
  readonly calls: readonly AnswerCall[];
}

/** Reads the content of one answer of LangChain, a text or a list of blocks, whole or piece by piece. */
export class ContentReader {
  readonly #reader: AnswerReader;
  #events: AnswerEvent[] = [];

  constructor(openReader: (emit: (event: AnswerEvent) => void) => AnswerReader) {
    this.#reader = openReader((event) => this.#events.push(event));
  }

  get callCount(): number {
    return this.#reader.callCount;
  }

  /** Reasoning that the provider told apart. */
  noteReasoning(text: unknown): void {
    if (typeof text === 'string') this.#reader.noteReasoning(text);
  }

  /**
   * What a piece of content says; with `end`, and what was held back before it, as it is the last. `native` are
   * calls that the provider told, which are told when the answer is over.
   */
  read(
    content: unknown,
    end?: { readonly isCut: boolean; readonly native: readonly NativeCall[] },
  ): Found {
    if (!Array.isArray(content)) return this.#readText(content, end);
    const blocks: unknown[] = [];
    let template: unknown = { type: 'text' };
    for (const block of content as readonly unknown[]) {
      const text = textOf(block);
      if (text === undefined) {
        this.#noteBlock(block);
        blocks.push(block);
        continue;
      }
      template = block;
      this.#reader.readText(text);
      blocks.push(...this.#takeText(block));
    }
    if (end !== undefined) {
      this.#end(end);
      blocks.push(...this.#takeText(template));
    }
    const isSame =
      blocks.length === content.length && blocks.every((block, at) => block === content[at]);
    return { content: isSame ? content : blocks, ...this.#takeOthers() };
  }

  #readText(
    content: unknown,
    end?: { readonly isCut: boolean; readonly native: readonly NativeCall[] },
  ): Found {
    if (typeof content === 'string') this.#reader.readText(content);
    if (end !== undefined) this.#end(end);
    const text = textsIn(this.#events);
    // An answer without content stays without it.
    const isSame = text === content || (text === '' && typeof content !== 'string');
    return { content: isSame ? content : text, ...this.#takeOthers() };
  }

  #end({
    isCut,
    native,
  }: {
    readonly isCut: boolean;
    readonly native: readonly NativeCall[];
  }): void {
    this.#reader.endText();
    for (const call of native) this.#reader.readCall(call, isCut);
    this.#reader.end(isCut);
  }

  #noteBlock(block: unknown): void {
    if (!isRecord(block)) return;
    this.noteReasoning(textIn(block['thinking']) ?? textIn(block['reasoning']));
  }

  /** What was found so far as blocks of text: the block itself where it is what was found. */
  #takeText(template: unknown): readonly unknown[] {
    const text = textsIn(this.#events);
    this.#events = this.#events.filter(({ type }) => type !== 'text');
    if (text === '') return [];
    return [textOf(template) === text ? template : { ...(template as object), text }];
  }

  #takeOthers(): Omit<Found, 'content'> {
    const events = this.#events;
    this.#events = [];
    return {
      reasoning: events.map((event) => (event.type === 'reasoning' ? event.text : '')).join(''),
      calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    };
  }
}

function textsIn(events: readonly AnswerEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function textOf(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  const { type, text } = block;
  const isText = type === 'text' || type === 'text_delta' || type === 'output_text';
  return isText && typeof text === 'string' ? text : undefined;
}
