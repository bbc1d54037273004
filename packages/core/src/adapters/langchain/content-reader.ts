import { isRecord, textIn } from '../../advise/conversation/record.ts';
import type { JsonObject } from '../../types.ts';
import type { FragmentedCall } from '../openai/chat/chat-call-fragments.ts';
import type { AnswerCall } from '../reading/answer-call.ts';
import type { AnswerEvent, AnswerReader } from '../reading/answer-reader.ts';

/** A call that was found, with what else an integration says of it. */
export interface FoundCall extends AnswerCall {
  readonly fields: JsonObject;
}

/** What was found in a piece of an answer. */
export interface Found {
  /** The content, without calls and reasoning; the very same where nothing was taken from it. */
  readonly content: unknown;
  readonly reasoning: string;
  readonly calls: readonly FoundCall[];
}

/** How an answer ends. */
export interface AnswerEnd {
  /** Whether it did not end by itself. */
  readonly isCut: boolean;
  /** Calls that the provider told, which are told when the answer is over. */
  readonly native: readonly FragmentedCall[];
}

/** Reads the content of one answer of LangChain, a text or a list of blocks, whole or piece by piece. */
export class ContentReader {
  readonly #reader: AnswerReader;
  #texts = '';
  #reasoning = '';
  #calls: FoundCall[] = [];
  /** What else is said of the call that is being read. */
  #native: FragmentedCall | undefined;
  /** The last block of text: what was held back of it is told as more of it. */
  #textBlock: object = { type: 'text' };
  #isMended = false;

  constructor(openReader: (emit: (event: AnswerEvent) => void) => AnswerReader) {
    this.#reader = openReader((event) => this.#take(event));
  }

  /** Whether anything is other than the provider told it. */
  get isMended(): boolean {
    return this.#isMended;
  }

  /** Whether the last text ended in what began as a call of a tool. */
  get endsInCall(): boolean {
    return this.#reader.endsInCall;
  }

  /** Reasoning that the provider told apart. */
  noteReasoning(text: unknown): void {
    if (typeof text === 'string') this.#reader.noteReasoning(text);
  }

  /** What a piece of content says; with `end`, and what was held back before it, as it is the last. */
  read(content: unknown, end?: AnswerEnd): Found {
    const read = Array.isArray(content)
      ? this.#readBlocks(content, end)
      : this.#readText(content, end);
    const found = { content: read, reasoning: this.#reasoning, calls: this.#calls };
    this.#reasoning = '';
    this.#calls = [];
    return found;
  }

  #readText(content: unknown, end: AnswerEnd | undefined): unknown {
    if (typeof content === 'string') this.#reader.readText(content);
    if (end !== undefined) this.#end(end);
    const text = this.#takeTexts();
    // An answer without content stays without it.
    return text === '' && typeof content !== 'string' ? content : text;
  }

  #readBlocks(content: readonly unknown[], end: AnswerEnd | undefined): unknown {
    const blocks: unknown[] = [];
    for (const block of content) {
      const text = textOf(block);
      if (text === undefined || !isRecord(block)) {
        this.#noteBlock(block);
        blocks.push(block);
        continue;
      }
      this.#textBlock = block;
      this.#reader.readText(text);
      blocks.push(...this.#takeTextOf(block, text));
    }
    if (end !== undefined) {
      this.#end(end);
      blocks.push(...this.#takeTextOf(this.#textBlock, undefined));
    }
    const isSame =
      blocks.length === content.length && blocks.every((block, at) => block === content[at]);
    return isSame ? content : blocks;
  }

  #end({ isCut, native }: AnswerEnd): void {
    this.#reader.endText();
    for (const call of native) {
      const before = this.#calls.length;
      this.#native = call;
      this.#reader.readCall(call, isCut);
      if (this.#calls.length === before) this.#isMended = true;
    }
    this.#native = undefined;
    this.#reader.end(isCut);
  }

  #noteBlock(block: unknown): void {
    if (!isRecord(block)) return;
    this.noteReasoning(textIn(block['thinking']) ?? textIn(block['reasoning']));
  }

  #take(event: AnswerEvent): void {
    if (event.type === 'text') {
      this.#texts += event.text;
      return;
    }
    if (event.type === 'reasoning') {
      this.#reasoning += event.text;
      this.#isMended = true;
      return;
    }
    const { call } = event;
    // What was held back of a text can be read while a native call is.
    const native = call.format === 'native' ? this.#native : undefined;
    this.#calls.push({ ...call, fields: native?.fields ?? {} });
    const isAsTold =
      native?.id === call.id && native.name === call.name && call.repairs.length === 0;
    if (!isAsTold) this.#isMended = true;
  }

  #takeTexts(): string {
    const texts = this.#texts;
    this.#texts = '';
    return texts;
  }

  /** What was found so far as a block of text: the block itself where it is what was found. */
  #takeTextOf(block: object, said: string | undefined): readonly unknown[] {
    const text = this.#takeTexts();
    // A block without a text may say something else, such as what is cited.
    if (text === said) return [block];
    return text === '' ? [] : [{ ...block, text }];
  }
}

function textOf(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  const { type, text } = block;
  const isText = type === 'text' || type === 'text_delta' || type === 'output_text';
  return isText && typeof text === 'string' ? text : undefined;
}
