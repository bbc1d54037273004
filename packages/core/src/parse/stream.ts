import { checkText } from './check-text.ts';
import type { Engine } from './engine.ts';
import type { ParseEvent } from './parse-event.ts';
import type { ParseOptions } from './parse-options.ts';
import type { ParseResult } from './parse-result.ts';
import { replayResult } from './replay-result.ts';

/** How a stream reads a text, and whom it tells. */
export interface ToolCallStreamOptions extends Omit<ParseOptions, 'explain'> {
  /** Told everything that is read, as soon as it is certain. */
  readonly onEvent: (event: ParseEvent) => void;
}

/** Reads a text as it arrives. */
export interface ToolCallStream {
  /** Takes the next chunk, of any size. Only what may still become a call is held back. */
  feed(chunk: string): void;
  /** No more text comes: tells what was held back. */
  end(): void;
  /** Forgets everything, for the next text. */
  reset(): void;
}

/** Hands every chunk to the engine. */
export class EngineStream implements ToolCallStream {
  readonly #createEngine: () => Engine;
  readonly #onEnd: (engine: Engine) => void;
  #engine: Engine | undefined;

  constructor(createEngine: () => Engine, onEnd: (engine: Engine) => void) {
    this.#createEngine = createEngine;
    this.#onEnd = onEnd;
  }

  feed(chunk: string): void {
    checkText(chunk, 'chunk');
    this.#engine ??= this.#createEngine();
    this.#engine.feed(chunk);
  }

  end(): void {
    this.#engine ??= this.#createEngine();
    this.#engine.end();
    this.#onEnd(this.#engine);
    this.#engine = undefined;
  }

  reset(): void {
    this.#engine = undefined;
  }
}

/** Waits for the whole text, because a parser is registered that can read nothing less. */
export class HeldStream implements ToolCallStream {
  readonly #onEvent: (event: ParseEvent) => void;
  readonly #parse: (text: string) => ParseResult;
  readonly #maxBytes: number;
  #text = '';
  /** Longer than a message may be: nothing is held any more. */
  #passesThrough = false;

  constructor(
    onEvent: (event: ParseEvent) => void,
    parse: (text: string) => ParseResult,
    maxBytes: number,
  ) {
    this.#onEvent = onEvent;
    this.#parse = parse;
    this.#maxBytes = maxBytes;
  }

  feed(chunk: string): void {
    checkText(chunk, 'chunk');
    if (this.#passesThrough) {
      if (chunk !== '') this.#onEvent({ type: 'text-delta', text: chunk });
      return;
    }
    this.#text += chunk;
    // Counted in characters: a text held back need not be held to the byte.
    if (this.#text.length <= this.#maxBytes) return;
    this.#passesThrough = true;
    this.#tell();
  }

  end(): void {
    if (!this.#passesThrough) this.#tell();
    this.reset();
  }

  reset(): void {
    this.#text = '';
    this.#passesThrough = false;
  }

  #tell(): void {
    const text = this.#text;
    this.#text = '';
    replayResult(this.#parse(text), this.#onEvent);
  }
}
