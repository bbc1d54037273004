import type { ToolCall } from '../types.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseResult, ParseStep, Segment } from './parse-result.ts';
import type { ParseSink } from './parse-sink.ts';

/** Gathers what the engine reads into one result. */
export class ResultCollector implements ParseSink {
  readonly wantsDeltas = false;
  readonly #calls: ToolCall[] = [];
  readonly #issues: ParseIssue[] = [];
  readonly #segments: Segment[] = [];
  readonly #steps: ParseStep[] | undefined;
  readonly step: ((step: ParseStep) => void) | undefined;
  #text = '';
  #reasoning = '';
  /** Text and reasoning of the segment under way: neighbours of one kind become one segment. */
  #open: { type: 'text' | 'reasoning'; raw: string; text: string } | undefined;

  constructor(explain: boolean) {
    const steps: ParseStep[] = [];
    this.#steps = explain ? steps : undefined;
    this.step = explain ? (step) => steps.push(step) : undefined;
  }

  text(text: string): void {
    this.#text += text;
    this.#extend('text', text, text);
  }

  reasoning(text: string, raw: string): void {
    this.#reasoning += text;
    this.#extend('reasoning', text, raw);
  }

  markup(raw: string): void {
    this.#close();
    this.#segments.push({ type: 'markup', raw });
  }

  callStart(): void {
    // Whole results tell calls once they are whole.
  }

  callDelta(): void {
    // As above.
  }

  calls(_firstIndex: number, calls: readonly ToolCall[], raw: string): void {
    this.#close();
    // One by one: as arguments of one call, very many would not fit on the stack.
    for (const call of calls) this.#calls.push(call);
    this.#segments.push({ type: 'calls', raw, calls });
  }

  issue(issue: ParseIssue): void {
    this.#issues.push(issue);
  }

  result(): ParseResult {
    this.#close();
    const result = {
      calls: this.#calls,
      text: this.#text,
      reasoning: this.#reasoning,
      issues: this.#issues,
      segments: this.#segments,
    };
    return this.#steps === undefined ? result : { ...result, explanation: this.#steps };
  }

  #extend(type: 'text' | 'reasoning', text: string, raw: string): void {
    if (this.#open?.type === type) {
      this.#open.raw += raw;
      this.#open.text += text;
    } else {
      this.#close();
      this.#open = { type, raw, text };
    }
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#segments.push(
      open.type === 'text'
        ? { type: 'text', raw: open.raw }
        : { type: 'reasoning', raw: open.raw, text: open.text },
    );
    this.#open = undefined;
  }
}
