import type { ParseEvent, ParseOptions, ToolCallStream } from '@holdfast/core/parse';
import type { StartsInReasoning } from '../../config/gateway-config.ts';
import type { SeenStart } from '../reasoning/reasoning-starts.ts';
import type { ChoiceOptions } from './choice-reader.ts';

/** Reads the text of an answer whose prompt may have opened reasoning, and finds out whether it did. */
export class PromptedReasoning {
  /** What the answer showed; undefined where it showed nothing. */
  seen: SeenStart | undefined;
  readonly #options: ChoiceOptions;
  readonly #onEvent: (event: ParseEvent) => void;
  #stream: ToolCallStream | undefined;
  #mode: StartsInReasoning;
  /** Whether there was text, other than space. */
  #hasText = false;
  #hasReasoning = false;
  /** What may become the tag that opens reasoning. */
  #head = '';
  /** Whether the text went on after reasoning, or had none. */
  #isOutside = false;
  /** Reasoning that is text if it never ends. */
  #assumed: string | undefined;

  constructor(options: ChoiceOptions, onEvent: (event: ParseEvent) => void) {
    const { eager, reasoningStart = UNKNOWN } = options;
    const { startsInReasoning, isAssumed } = reasoningStart;
    this.#options = options;
    this.#onEvent = onEvent;
    // Eager mode emits calls before they are complete.
    this.#mode = eager && startsInReasoning === 'auto' ? false : startsInReasoning;
    this.#assumed = startsInReasoning === true && isAssumed ? '' : undefined;
  }

  /** The text of an answer that was assumed to begin in reasoning, and did not end it. */
  get unclosed(): string {
    return this.seen === 'unclosed' ? (this.#assumed ?? '') : '';
  }

  feed(chunk: string): void {
    const text = this.#readHead(chunk);
    if (text === '') return;
    this.#read(text);
  }

  /** The upstream sends reasoning apart: then its text does not begin in it. */
  noteReasoning(): void {
    this.#hasReasoning = true;
    if (this.#mode === true && !this.#hasText) this.#stream = undefined;
    this.#stream?.release();
    if (!this.#hasText) this.#mode = false;
  }

  end(): void {
    if (this.#head !== '') this.#read(this.#head);
    const stream = (this.#stream ??= this.#open());
    stream.end();
    if (this.seen !== undefined || this.#hasReasoning || !this.#hasText) return;
    this.seen = this.#mode === true ? 'inside' : 'outside';
  }

  #read(text: string): void {
    this.#head = '';
    this.#stream ??= this.#open();
    this.#hasText ||= text.trim() !== '';
    this.#stream.feed(text);
  }

  /** The text so far, once it shows whether the answer opens its reasoning itself, against what was assumed. */
  #readHead(chunk: string): string {
    if (this.#assumed === undefined || this.#mode !== true || this.#hasText)
      return this.#head + chunk;
    this.#head += chunk;
    const begun = this.#head.trimStart();
    if (begun !== THINK && THINK.startsWith(begun)) return '';
    if (begun.startsWith(THINK)) this.#mode = false;
    return this.#head;
  }

  #open(): ToolCallStream {
    const { tools, callsInReasoning, bareCalls, registry, nextId } = this.#options;
    const reading = { tools, ...hintsOf(this.#options), callsInReasoning, bareCalls, nextId };
    const onEvent = (event: ParseEvent): void => this.#take(event);
    return registry.createStream({ ...reading, startsInReasoning: this.#mode, onEvent });
  }

  #take(event: ParseEvent): void {
    if (event.type === 'reasoning-delta') this.#takeReasoning(event.text);
    else if (event.type === 'issue') {
      const { code } = event.issue;
      if (code === 'orphan-reasoning-end') this.seen = 'orphan-end';
      else if (code === 'unclosed-reasoning' && this.#mode === true && !this.#isOutside)
        this.seen = 'unclosed';
    } else this.#isOutside = true;
    this.#onEvent(event);
  }

  #takeReasoning(text: string): void {
    if (this.#mode !== true) this.#hasReasoning = true;
    if (this.#isOutside || this.#assumed === undefined) return;
    // More than this is not repeated as text.
    this.#assumed =
      this.#assumed.length + text.length > MOST_ASSUMED ? undefined : this.#assumed + text;
  }
}

/** Which formats are read, and which goes first. That of tools in the prompt is always read. */
export function hintsOf({
  model,
  format,
  formats,
}: ChoiceOptions): Pick<ParseOptions, 'model' | 'format' | 'formats'> {
  if (format === undefined) return formats === undefined ? { model } : { model, formats };
  return { model, format, ...(formats !== undefined && { formats: [...formats, format] }) };
}

const UNKNOWN = { startsInReasoning: 'auto', isAssumed: true } as const;
const THINK = '<think>';
const MOST_ASSUMED = 1_048_576;
