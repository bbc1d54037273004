import type { TurnCall, TurnEvent } from './turn/turn-event.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { FinishReason } from './turn/finish-reason.ts';
import type { Usage } from './turn/usage.ts';

/** What a turn came to, for logs and traces. */
export class TurnRecord {
  text = '';
  reasoning = '';
  readonly calls: TurnCall[] = [];
  finish: FinishReason | undefined;
  usage: Usage | undefined;
  error: TurnError | undefined;
  readonly #keepsContent: boolean;

  /** Text is kept only where somebody will read it. */
  constructor(keepsContent: boolean) {
    this.#keepsContent = keepsContent;
  }

  add(events: readonly TurnEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'text':
          if (this.#keepsContent) this.text += event.text;
          break;
        case 'reasoning':
          if (this.#keepsContent) this.reasoning += event.text;
          break;
        case 'call':
          this.calls.push(event.call);
          break;
        case 'finish':
          this.finish ??= event.reason;
          break;
        case 'usage':
          ({ usage: this.usage } = event);
          break;
        case 'error':
          ({ error: this.error } = event);
          break;
        default:
          break;
      }
    }
  }
}
