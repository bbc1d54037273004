import type { ToolCall } from '../types.ts';
import type { ParseEvent } from './parse-event.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ParseSink } from './parse-sink.ts';

/** Turns what the engine reads into events. */
export class EventSink implements ParseSink {
  readonly wantsDeltas = true;
  readonly #onEvent: (event: ParseEvent) => void;

  constructor(onEvent: (event: ParseEvent) => void) {
    this.#onEvent = onEvent;
  }

  text(text: string): void {
    this.#onEvent({ type: 'text-delta', text });
  }

  reasoning(text: string, raw: string): void {
    this.#onEvent({ type: 'reasoning-delta', text, raw });
  }

  markup(raw: string): void {
    this.#onEvent({ type: 'markup', raw });
  }

  callStart(index: number, id: string, name: string, format: string): void {
    this.#onEvent({ type: 'call-start', index, id, name, format });
  }

  callDelta(index: number, id: string, fragment: string): void {
    this.#onEvent({ type: 'call-delta', index, id, fragment });
  }

  calls(firstIndex: number, calls: readonly ToolCall[], raw: string): void {
    for (const [at, call] of calls.entries()) {
      this.#onEvent({ type: 'call-end', index: firstIndex + at, call, raw: at === 0 ? raw : '' });
    }
  }

  issue(issue: ParseIssue): void {
    this.#onEvent({ type: 'issue', issue });
  }
}
