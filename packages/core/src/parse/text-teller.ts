import type { ReasoningEnd } from './format.ts';
import { isSpace } from './json/char-code.ts';
import type { FenceState } from './fence-state.ts';
import { lastVisible } from './last-visible.ts';
import type { ParseSink } from './parse-sink.ts';

/** Passes on text, reasoning and markup, and knows what the place it has come to looks like. */
export class TextTeller {
  /** Offset in the text of the first character not yet passed on. */
  offset = 0;
  /** Inside reasoning: what ends it. */
  reasoningEnds: readonly ReasoningEnd[] | undefined;
  /** Whether nothing but space, reasoning and markup came so far. */
  isTextStart = true;
  /** Whether only space, or the end of a block, stands between here and the last line break. */
  isLineStart = true;
  /** Whether what was passed on ends inside a code fence; reasoning has fences of its own. */
  readonly fence: FenceState;
  readonly #sink: ParseSink;
  readonly #separatesReasoning: boolean;
  /** The last characters passed on that are no space; none behind a block. */
  #visible = '';

  constructor(sink: ParseSink, fence: FenceState, separatesReasoning: boolean) {
    this.#sink = sink;
    this.fence = fence;
    this.#separatesReasoning = separatesReasoning;
  }

  /** Text, or reasoning where it is inside some. */
  tell(raw: string): void {
    if (raw === '') return;
    if (this.reasoningEnds === undefined) {
      this.#sink.text(raw);
      this.isTextStart &&= isBlank(raw, 0, raw.length);
    } else this.#passReasoning(raw, raw);
    this.offset += raw.length;
    this.fence.read(raw, 0, raw.length);
    this.isLineStart = endsAtLineStart(raw, this.isLineStart);
    this.#visible = lastVisible(this.#visible, raw, 0, raw.length);
  }

  beginReasoning(raw: string, ends: readonly ReasoningEnd[]): void {
    this.reasoningEnds = ends;
    this.fence.isOpen = false;
    this.#tellReasoning('', raw);
  }

  /** The last of the reasoning, as it means and as it was written. */
  endReasoning(text: string, raw: string): void {
    if (raw !== '') this.#tellReasoning(text, raw);
    this.reasoningEnds = undefined;
    this.fence.isOpen = false;
    this.#passBlock('');
  }

  markup(raw: string): void {
    this.#sink.markup(raw);
    this.#passBlock(raw);
  }

  /** Calls were told that were written like this. */
  passCalls(raw: string): void {
    this.#passBlock(raw);
    this.isTextStart = false;
  }

  /** Whether a line, a block or reasoning ended just before `hit`; from `start` on nothing was passed on. */
  isLineStartAt(text: string, start: number, hit: number): boolean {
    for (let at = hit - 1; at >= start; at--) {
      const code = text.charCodeAt(at);
      if (code === 0x0a) return true;
      if (code !== 0x20 && code !== 0x09) return false;
    }
    return this.isLineStart;
  }

  isTextStartAt(text: string, start: number, hit: number): boolean {
    // In reasoning, how much of it was passed on already must not decide.
    return this.isTextStart && this.reasoningEnds === undefined && isBlank(text, start, hit);
  }

  /** The last characters before `hit` that are no space. */
  visibleBefore(text: string, start: number, hit: number): string {
    return lastVisible(this.#visible, text, start, hit);
  }

  #tellReasoning(text: string, raw: string): void {
    this.#passReasoning(text, raw);
    this.offset += raw.length;
  }

  #passReasoning(text: string, raw: string): void {
    if (this.#separatesReasoning) {
      this.#sink.reasoning(text, raw);
      return;
    }
    this.#sink.text(raw);
    this.isTextStart = false;
  }

  #passBlock(raw: string): void {
    this.offset += raw.length;
    this.isLineStart = true;
    this.fence.endBlock();
    this.#visible = '';
  }
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

/** Whether only space stands between the end of `text` and a line break; `before` says it of what came before. */
function endsAtLineStart(text: string, before: boolean): boolean {
  for (let at = text.length - 1; at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x09) return false;
  }
  return before;
}
