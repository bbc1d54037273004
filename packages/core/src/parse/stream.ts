import { checkText } from './check-text.ts';
import type { Engine } from './engine.ts';
import type { OrphanEndSink } from './orphan-end-sink.ts';
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
  /**
   * The text is known not to begin in reasoning, as when the server sends reasoning apart: with
   * `startsInReasoning: 'auto'`, emits the calls that are held, and holds no others.
   */
  release(): void;
  /** Forgets everything, for the next text. */
  reset(): void;
}

/** An engine, and what looks for the end of reasoning that its text did not begin. */
export interface StreamEngine {
  readonly engine: Engine;
  readonly orphans: OrphanEndSink | undefined;
}

/** Hands every chunk to the engine. */
export class EngineStream implements ToolCallStream {
  readonly #create: () => StreamEngine;
  readonly #onEnd: (engine: Engine) => void;
  #current: StreamEngine | undefined;

  constructor(create: () => StreamEngine, onEnd: (engine: Engine) => void) {
    this.#create = create;
    this.#onEnd = onEnd;
  }

  feed(chunk: string): void {
    checkText(chunk, 'chunk');
    this.#current ??= this.#create();
    this.#current.engine.feed(chunk);
  }

  end(): void {
    const { engine, orphans } = (this.#current ??= this.#create());
    engine.end();
    orphans?.end();
    this.#onEnd(engine);
    this.#current = undefined;
  }

  release(): void {
    this.#current ??= this.#create();
    this.#current.orphans?.release();
  }

  reset(): void {
    this.#current = undefined;
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

  release(): void {
    // The whole text shows it.
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
