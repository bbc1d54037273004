import { readArguments } from './turn/read-arguments.ts';
import type { TurnCall, TurnEvent } from './turn/turn-event.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { FinishReason } from './turn/finish-reason.ts';
import type { Usage } from './turn/usage.ts';

/** A call as the client was told of it. */
export type RecordedCall = Pick<TurnCall, 'id' | 'name' | 'arguments'>;

/** What a turn came to, for logs and traces. */
export class TurnRecord {
  text = '';
  reasoning = '';
  readonly calls: RecordedCall[] = [];
  finish: FinishReason | undefined;
  usage: Usage | undefined;
  error: TurnError | undefined;
  /** How many characters of text, and of reasoning, are kept. */
  readonly #mostText: number;
  /** Calls that are told while they are read, by choice and index. */
  readonly #begun = new Map<string, { readonly id: string; readonly name: string; json: string }>();

  /** Text is kept only where it is read later, and no more of it than is read. */
  constructor(mostText: number) {
    this.#mostText = mostText;
  }

  /** What the upstream counted; undefined where it did not, and what clients got is an estimate. */
  get measuredUsage(): Usage | undefined {
    return this.usage?.estimated === true ? undefined : this.usage;
  }

  add(events: readonly TurnEvent[]): void {
    for (const event of events) {
      switch (event.type) {
        case 'text':
          this.text = this.#with(this.text, event.text);
          break;
        case 'reasoning':
          this.reasoning = this.#with(this.reasoning, event.text);
          break;
        case 'call':
          this.calls.push(event.call);
          break;
        case 'call-start':
          this.#begun.set(keyOf(event), { id: event.id, name: event.name, json: '' });
          break;
        case 'call-delta': {
          const begun = this.#begun.get(keyOf(event));
          if (begun !== undefined) begun.json += event.json;
          break;
        }
        case 'call-end':
          this.#finishCall(keyOf(event));
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

  #with(text: string, more: string): string {
    return text.length < this.#mostText ? text + more : text;
  }

  #finishCall(key: string): void {
    const begun = this.#begun.get(key);
    if (begun === undefined) return;
    this.#begun.delete(key);
    const { id, name, json } = begun;
    this.calls.push({ id, name, arguments: readArguments(json)?.value ?? {} });
  }
}

function keyOf({ choice, index }: { readonly choice: number; readonly index: number }): string {
  return `${choice}:${index}`;
}
