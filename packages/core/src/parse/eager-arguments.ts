import type { JsonValue } from '../types.ts';
import { ARGUMENT_KEYS, NAME_KEYS } from './call-keys.ts';
import type { EagerCall } from './format.ts';
import type { JsonReader } from './json/json-reader.ts';

const ARGUMENTS: ReadonlySet<string> = new Set(ARGUMENT_KEYS);

/**
 * Watches a JSON reader and passes on the source of a call's arguments while they are being read. It
 * stops at the first repair: from there on the source is not the JSON that comes out.
 */
export class EagerArguments {
  readonly calls: EagerCall[] = [];
  readonly #reader: JsonReader;
  /** Characters given to the reader that it has not settled yet. */
  #unsettled = '';
  #settledTo = 0;
  #from = -1;
  #depth = 0;

  constructor(reader: JsonReader) {
    this.#reader = reader;
    reader.onMemberObject = (key, siblings, depth, offset) => {
      this.#begin(key, siblings, depth, offset);
    };
    reader.onMemberObjectEnd = (depth, endOffset) => {
      if (this.#from >= 0 && depth === this.#depth) this.#take(endOffset, true);
    };
  }

  /** To be called before the reader reads `chunk`. */
  before(chunk: string): void {
    this.#unsettled = this.#unsettled === '' ? chunk : this.#unsettled + chunk;
  }

  /** To be called after it. */
  after(): void {
    const settled = this.#reader.offset;
    if (this.#from >= 0 && this.#reader.repairs.length === 0) this.#take(settled, false);
    this.#unsettled = this.#unsettled.slice(settled - this.#settledTo);
    this.#settledTo = settled;
  }

  #begin(
    key: string,
    siblings: Readonly<Record<string, JsonValue>>,
    depth: number,
    offset: number,
  ): void {
    if (this.#from >= 0 || !ARGUMENTS.has(key) || this.#reader.repairs.length > 0) return;
    const name = NAME_KEYS.map((nameKey) => siblings[nameKey]).find(
      (value) => typeof value === 'string',
    );
    if (typeof name !== 'string' || name === '') return;
    this.calls.push({ name, fragment: '' });
    this.#from = offset;
    this.#depth = depth;
  }

  #take(to: number, ended: boolean): void {
    const call = this.calls.at(-1);
    if (call === undefined || this.#reader.repairs.length > 0) return;
    call.fragment += this.#unsettled.slice(this.#from - this.#settledTo, to - this.#settledTo);
    this.#from = ended ? -1 : to;
  }
}
