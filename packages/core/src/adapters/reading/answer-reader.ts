import { callId } from '../../internal/random.ts';
import { sharedRegistry } from '../../parse/default-registry.ts';
import type { ParseEvent } from '../../parse/parse-event.ts';
import type { ParseOptions } from '../../parse/parse-options.ts';
import type { ToolCallStream } from '../../parse/stream.ts';
import type { ToolDefinition } from '../../types.ts';
import type { AnswerCall, NativeCall } from './answer-call.ts';
import { CallDesk } from './call-desk.ts';
import type { MendEvent } from './mend-event.ts';
import type { MendOptions } from './mend-options.ts';
import { readArguments } from './read-arguments.ts';

/** What an answer says, in order. */
export type AnswerEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'call'; readonly call: AnswerCall };

/** What is known of the request that is answered. */
export interface AnswerContext {
  /** The tools that were offered: a call of any other is text. */
  readonly tools: readonly ToolDefinition[];
  /** The model that was asked: its own dialect goes first. */
  readonly model: string;
  /** Whether the request wants JSON: text without markup is no call then. */
  readonly requiresJson: boolean;
}

/**
 * Reads one answer of a model, whole or as it arrives: finds the calls in its texts, and mends those that the
 * server told. What is told is final; a call that the answer ends in is text.
 */
export class AnswerReader {
  readonly #context: AnswerContext;
  readonly #options: MendOptions;
  readonly #emit: (event: AnswerEvent) => void;
  readonly #desk: CallDesk;
  /** Reads the text that is not over; undefined between texts. */
  #stream: ToolCallStream | undefined;
  #isFirstText = true;
  /** Whether the server sent reasoning apart: then no text begins in it. */
  #hasReasoning = false;
  #callCount = 0;
  /** Whether the text that is being read is over, and only how the answer goes on says if it was cut. */
  #isTextOver = false;
  /** Whether calls found from now on are text: the answer was cut before it could end them. */
  #isCut = false;
  /** What was held back of a text that is over, and turned out to be text. */
  #heldBack = '';
  #isClosing = false;
  /** Whether text is emitted that only waited for the end of the text, as a call before it did. */
  #wasHeld = false;
  #hasText = false;
  /** Reasoning that the server told apart, while a call may hide in it. */
  #reasoning = '';

  constructor(context: AnswerContext, options: MendOptions, emit: (event: AnswerEvent) => void) {
    const { nextId = callId } = options;
    this.#context = context;
    this.#options = options;
    this.#emit = emit;
    this.#desk = new CallDesk(context.tools, () => nextId());
  }

  /** How many calls were told. */
  get callCount(): number {
    return this.#callCount;
  }

  /** Whether the last text ended in what began as a call of a tool. */
  get endsInCall(): boolean {
    return this.#context.tools.some(({ name }) => this.#heldBack.includes(name));
  }

  /** The tool that a name is or can only mean. */
  nameOf(written: string): string {
    return this.#desk.nameOf(written);
  }

  /** The next piece of a text. */
  readText(text: string): void {
    this.settle();
    if (text === '') return;
    this.#stream ??= this.#openText();
    this.#stream.feed(text);
  }

  /** A text is over, and perhaps the answer: what was held back is told once it is known which. */
  endText(): void {
    this.#isTextOver = true;
  }

  /** The answer goes on behind a text that is over. */
  settle(): void {
    if (!this.#isTextOver) return;
    this.#closeText();
  }

  /** Reasoning that the server told apart; it is the caller's to pass on. */
  noteReasoning(text: string): void {
    if (text === '') return;
    this.#hasReasoning = true;
    this.#stream?.release();
    if (!this.#hasText && this.#reasoning.length < MOST_REASONING) this.#reasoning += text;
  }

  /**
   * A call that the server told, made ready; undefined where its arguments are cut off or cannot be read.
   * Whoever gets one tells it.
   */
  mend({ id, name, json }: NativeCall, isCut = false): AnswerCall | undefined {
    this.settle();
    // Without arguments a call that was cut looks like one that has none.
    const isNothing = name.trim() === '' || (isCut && json.trim() === '');
    const read = isNothing ? undefined : readArguments(json);
    if (read === undefined) {
      const message = `a call of "${name}" is none: its arguments are cut off or cannot be read`;
      this.#report({ type: 'issue-found', code: 'unreadable-call', message });
      return undefined;
    }
    const { value, text, repairs } = read;
    return this.#ready({
      id,
      name: name.trim(),
      arguments: value,
      ...(text !== undefined && { argumentsText: text }),
      format: 'native',
      repairs,
    });
  }

  /** Tells a call of the server's, or what there is of it as text. */
  readCall(native: NativeCall, isCut = false): void {
    const call = this.mend(native, isCut);
    if (call !== undefined) this.#emit({ type: 'call', call });
    else if (native.name !== '' || native.json !== '')
      this.#tellText(`{"name": ${JSON.stringify(native.name)}, "arguments": ${native.json}}`);
  }

  /** Nothing more comes. `isCut` where the answer did not end by itself. */
  end(isCut: boolean): void {
    this.#isCut = isCut;
    this.#closeText();
    this.#searchReasoning();
  }

  #openText(): ToolCallStream {
    const { registry = sharedRegistry() } = this.#options;
    const options = parseOptions(this.#context, this.#options);
    // The prompt can open a block of reasoning for the first text only.
    const { startsInReasoning = 'auto' } = this.#isFirstText ? options : NOT_IN_REASONING;
    this.#isFirstText = false;
    const onEvent = (event: ParseEvent): void => this.#take(event);
    const stream = registry.createStream({ ...options, startsInReasoning, onEvent });
    if (this.#hasReasoning) stream.release();
    return stream;
  }

  #closeText(): void {
    this.#isTextOver = false;
    this.#isClosing = true;
    this.#heldBack = '';
    this.#stream?.end();
    this.#isClosing = false;
    this.#wasHeld = false;
    this.#stream = undefined;
  }

  #take(event: ParseEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.#tellText(event.text);
        break;
      case 'reasoning-delta':
        if (event.text !== '') this.#emit({ type: 'reasoning', text: event.text });
        break;
      case 'call-end':
        this.#wasHeld = this.#isClosing;
        this.#takeCall(event);
        break;
      case 'issue': {
        const { code, message } = event.issue;
        if (code === 'incomplete-call') this.#wasHeld = false;
        this.#report({ type: 'issue-found', code, message });
        break;
      }
      case 'call-start':
      case 'call-delta':
      case 'markup':
        break;
    }
  }

  #tellText(text: string): void {
    if (!this.#hasText && text.trim() !== '') this.#hasText = true;
    if (this.#isClosing && !this.#wasHeld) this.#heldBack += text;
    this.#emit({ type: 'text', text });
  }

  #takeCall({ call, raw }: Extract<ParseEvent, { type: 'call-end' }>): void {
    if (!this.#isCut && !call.lossy) {
      this.#emit({ type: 'call', call: this.#ready(call) });
      return;
    }
    const why = this.#isCut
      ? 'the answer was cut before it was certain that the call counts'
      : 'it is guesswork';
    const message = `a call of "${call.name}" stays text: ${why}`;
    this.#report({ type: 'issue-found', code: 'call-not-told', message });
    if (raw !== '') this.#tellText(raw);
  }

  #ready(read: Parameters<CallDesk['ready']>[0]): AnswerCall {
    const call = this.#desk.ready(read);
    this.#callCount++;
    this.#report({ type: 'call-read', call });
    return call;
  }

  /** Servers that look for reasoning take all for it where the model forgets to end it: the call too. */
  #searchReasoning(): void {
    const { callsInReasoning = 'if-unclosed', registry = sharedRegistry() } = this.#options;
    if (this.#reasoning === '' || callsInReasoning === 'ignore' || this.#isCut) return;
    const isEnded = this.#hasText || this.#callCount > 0;
    if (isEnded && callsInReasoning !== 'read') return;
    const options = parseOptions(this.#context, this.#options);
    // Reasoning names tools as often as it calls them.
    const bareCalls = options.bareCalls !== false && callsInReasoning === 'read';
    const { calls } = registry.parse(this.#reasoning, { ...options, bareCalls });
    for (const call of calls)
      if (!call.lossy) this.#emit({ type: 'call', call: this.#ready(call) });
  }

  #report(event: MendEvent): void {
    tellQuietly(this.#options, event);
  }
}

/** Tells an event; who watches must not break the answer. */
export function tellQuietly({ onEvent }: MendOptions, event: MendEvent): void {
  try {
    onEvent?.(event);
  } catch {
    // The one who watches has failed, not the answer.
  }
}

function parseOptions(
  { tools, model, requiresJson }: AnswerContext,
  options: MendOptions,
): ParseOptions {
  const { format, startsInReasoning, reasoning, callsInReasoning, bareCalls, nextId } = options;
  return {
    tools,
    bareCalls: bareCalls !== false && !requiresJson,
    ...(model !== '' && { model }),
    ...(format !== undefined && { format }),
    ...(startsInReasoning !== undefined && { startsInReasoning }),
    ...(reasoning !== undefined && { reasoning }),
    ...(callsInReasoning !== undefined && { callsInReasoning }),
    ...(nextId !== undefined && { nextId }),
  };
}

const NOT_IN_REASONING: Pick<ParseOptions, 'startsInReasoning'> = { startsInReasoning: false };

/** Calls stand at the end of reasoning; more than this is not kept to search it. */
const MOST_REASONING = 1_048_576;
