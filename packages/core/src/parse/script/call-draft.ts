import type { JsonValue, Repair } from '../../types.ts';
import type { EagerCall, RawCall } from '../format.ts';
import { setOwn } from '../../internal/set-own.ts';

/** A call that is being read. What is set is told at once, as fragments of JSON. */
export class CallDraft {
  readonly name: string;
  /** Tells the call while it is being read. */
  readonly eager: EagerCall;
  /** Whether all of it was read. */
  isClosed = false;
  readonly #arguments: Record<string, JsonValue> = {};
  readonly #repairs: Repair[] = [];
  #whole: Pick<RawCall, 'arguments' | 'argumentsText'> | undefined;
  #openKey: string | undefined;
  #openText = '';
  #lossy = false;
  #complete = true;

  constructor(name: string, id: string | undefined) {
    this.name = name;
    this.eager = { id, name, fragment: '', isWhole: false };
  }

  /** Whether nothing was told of its arguments yet. */
  get isUntold(): boolean {
    return this.#isEmpty() && this.#openKey === undefined;
  }

  /** Whether an argument of that name was set. */
  has(key: string): boolean {
    return Object.hasOwn(this.#arguments, key);
  }

  /** How many arguments were set. */
  get size(): number {
    return Object.keys(this.#whole ?? this.#arguments).length;
  }

  set(key: string, value: JsonValue): void {
    this.eager.fragment += `${this.#before()}${JSON.stringify(key)}:${JSON.stringify(value)}`;
    setOwn(this.#arguments, key, value);
  }

  /** Begins an argument that is a string whatever comes, so that it can be told as it arrives. */
  openString(key: string): void {
    this.eager.fragment += `${this.#before()}${JSON.stringify(key)}:"`;
    this.#openKey = key;
    this.#openText = '';
  }

  append(text: string): void {
    if (text === '') return;
    this.#openText += text;
    this.eager.fragment += JSON.stringify(text).slice(1, -1);
  }

  closeString(): void {
    if (this.#openKey === undefined) return;
    this.eager.fragment += '"';
    setOwn(this.#arguments, this.#openKey, this.#openText);
    this.#openKey = undefined;
  }

  /** All arguments at once, and their text; their fragments were emitted by their reader, or not at all. */
  setAll(all: Pick<RawCall, 'arguments' | 'argumentsText'>): void {
    this.#whole = all;
  }

  note(repair: Repair): void {
    if (!this.#repairs.includes(repair)) this.#repairs.push(repair);
  }

  /** A repair may have lost or guessed content. */
  markLossy(): void {
    this.#lossy = true;
  }

  /** The text ended inside it. */
  markIncomplete(): void {
    this.closeString();
    this.#complete = false;
    this.note('truncated');
  }

  /** No more arguments come. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.closeString();
    if (this.#whole !== undefined) return;
    this.eager.fragment += this.#isEmpty() ? '{}' : '}';
    this.eager.isWhole = true;
  }

  toRawCall(): RawCall {
    const { arguments: args, argumentsText } = this.#whole ?? {
      arguments: this.#arguments,
      argumentsText: undefined,
    };
    const { id } = this.eager;
    return {
      id,
      name: this.name,
      arguments: args,
      argumentsText,
      repairs: this.#repairs,
      complete: this.#complete,
      lossy: this.#lossy,
    };
  }

  #isEmpty(): boolean {
    for (const _key in this.#arguments) return false;
    return true;
  }

  #before(): string {
    return this.#isEmpty() ? '{' : ',';
  }
}
