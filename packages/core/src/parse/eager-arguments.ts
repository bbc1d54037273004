import type { JsonValue } from '../types.ts';
import { ARGUMENT_KEYS, NAME_KEYS, readId } from './call-keys.ts';
import type { EagerCall } from './format.ts';
import type { JsonReader } from './json/json-reader.ts';
import type { JsonWatcher, ValueBuilder } from './json/value-builder.ts';

const ARGUMENTS: ReadonlySet<string> = new Set(ARGUMENT_KEYS);

/**
 * Watches a JSON reader and passes on the source of a call's arguments while they are being read. It
 * stops at the first repair: from there on the source is not the JSON that comes out.
 */
export class EagerArguments implements JsonWatcher {
  readonly calls: EagerCall[] = [];
  readonly #reader: JsonReader;
  readonly #source: (from: number, to: number) => string;
  #from = -1;
  #depth = 0;

  /** `source` gives the text between two offsets of the reader, however far back. */
  constructor(reader: JsonReader, source: (from: number, to: number) => string) {
    this.#reader = reader;
    this.#source = source;
    reader.watch(this);
  }

  memberObject(key: string, offset: number, builder: ValueBuilder, value: JsonValue): void {
    if (this.#from >= 0 || !ARGUMENTS.has(key)) return;
    const previous = this.calls[builder.listIndex];
    // A second object of arguments for one call: what was told of the first is not all there is.
    if (previous !== undefined) previous.isWhole = false;
    // A call that could not be told leaves a gap, behind which nobody knows which call is which.
    if (builder.listIndex !== this.calls.length || !this.#reader.isClean) return;
    const members = builder.membersAround(0);
    const name = NAME_KEYS.map((nameKey) => members[nameKey]).find(isName);
    if (name === undefined) return;
    const id = readId(members) ?? readId(builder.membersAround(1));
    const first = (length: number): string => this.#source(offset, offset + length);
    this.calls.push({ id, name: name.trim(), fragment: '', isWhole: false, first, value });
    this.#from = offset;
    this.#depth = builder.depth;
  }

  memberObjectEnd(endOffset: number, builder: ValueBuilder): void {
    if (this.#from >= 0 && builder.depth === this.#depth) this.#take(endOffset, true);
  }

  /** To be called when the reader has read a chunk. */
  passOn(): void {
    if (this.#from >= 0) this.#take(this.#reader.offset, false);
  }

  #take(to: number, ended: boolean): void {
    const call = this.calls.at(-1);
    if (call === undefined || !this.#reader.isClean) return;
    call.fragment += this.#reader.source(this.#from, to);
    call.isWhole = ended;
    this.#from = ended ? -1 : to;
  }
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
