import type { JsonObject } from '@holdfast/core';
import { readArguments } from '../turn/read-arguments.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';

/** Something that the client was told. */
export type ToldPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly arguments: JsonObject;
      /** Who read it; undefined where it was told before it was known to be whole. */
      readonly format: string | undefined;
      readonly repairs: readonly string[];
    };

/** More of a turn is not kept. */
const MOST_CHARACTERS = 200_000;

/** The memory of a part without its text, about. */
const PART_CHARACTERS = 64;

interface BegunCall {
  readonly name: string;
  json: string;
}

/**
 * What was said in a turn: by the upstream, and to the client. Of several answers only the first. It grows with the
 * turn, up to a bound.
 */
export class CapturedTurn {
  /** The text of the upstream as it came. */
  raw = '';
  /** What the upstream told apart as reasoning. */
  rawReasoning = '';
  readonly told: ToldPart[] = [];
  isCut = false;
  #room = 2 * MOST_CHARACTERS;
  readonly #native = new Map<number, { name: string; json: string }>();
  readonly #begun = new Map<number, BegunCall>();

  heard(events: readonly UpstreamEvent[]): void {
    for (const event of events) {
      if (!('choice' in event) || event.choice !== 0) continue;
      if (event.type === 'text') this.raw += this.#fitting(event.text);
      else if (event.type === 'reasoning') this.rawReasoning += this.#fitting(event.text);
      else if (event.type === 'call-fragment') this.#addFragment(event);
    }
  }

  tell(events: readonly TurnEvent[]): void {
    for (const event of events) {
      if (!('choice' in event) || event.choice !== 0) continue;
      switch (event.type) {
        case 'text':
        case 'reasoning':
          this.#addText(event.type, event.text);
          break;
        case 'call': {
          const { name, arguments: args, json, format, repairs } = event.call;
          if (this.#takesPart(json.length))
            this.told.push({ kind: 'call', name, arguments: args, format, repairs });
          break;
        }
        case 'call-start':
          this.#begun.set(event.index, { name: event.name, json: '' });
          break;
        case 'call-delta': {
          const begun = this.#begun.get(event.index);
          if (begun !== undefined) begun.json += this.#fitting(event.json);
          break;
        }
        case 'call-end':
          this.#addBegun(this.#begun.get(event.index));
          break;
        default:
          break;
      }
    }
  }

  /** In characters. */
  get size(): number {
    return 2 * MOST_CHARACTERS - this.#room;
  }

  /** The calls that the upstream has read itself, with their arguments as they came. */
  get nativeCalls(): readonly string[] {
    return [...this.#native.values()].map(
      ({ name, json }) => `{"name": ${JSON.stringify(name)}, "arguments": ${json}}`,
    );
  }

  #addText(kind: 'text' | 'reasoning', text: string): void {
    const more = this.#fitting(text);
    const last = this.told.at(-1);
    if (more === '') return;
    if (last?.kind === kind) this.told[this.told.length - 1] = { kind, text: last.text + more };
    else if (this.#takesPart(0)) this.told.push({ kind, text: more });
  }

  #addBegun(begun: BegunCall | undefined): void {
    if (begun === undefined) return;
    const { name, json } = begun;
    const args = readArguments(json)?.value ?? {};
    this.told.push({ kind: 'call', name, arguments: args, format: undefined, repairs: [] });
  }

  #addFragment(event: Extract<UpstreamEvent, { type: 'call-fragment' }>): void {
    const { slot, name = '', json = '' } = event;
    const known = this.#native.get(slot);
    if (known === undefined && !this.#takesPart(0)) return;
    const call = known ?? { name: '', json: '' };
    call.name += this.#fitting(name);
    call.json += this.#fitting(json);
    this.#native.set(slot, call);
  }

  /** Whether there is room for another part, with a text of that length. */
  #takesPart(length: number): boolean {
    const size = PART_CHARACTERS + length;
    if (size > this.#room) {
      this.isCut = true;
      return false;
    }
    this.#room -= size;
    return true;
  }

  /** As much of a text as there is room for. */
  #fitting(text: string): string {
    if (text.length <= this.#room) {
      this.#room -= text.length;
      return text;
    }
    this.isCut = true;
    const part = text.slice(0, this.#room);
    this.#room = 0;
    return part;
  }
}
