import type { JsonValue } from '../types.ts';
import { ARGUMENT_KEYS, NAME_KEYS, readId } from './call-keys.ts';
import type { EagerCall } from './format.ts';
import type { JsonReader, JsonWatcher } from './json/json-reader.ts';

type Members = Readonly<Record<string, JsonValue>>;

const ARGUMENTS: ReadonlySet<string> = new Set(ARGUMENT_KEYS);

/**
 * Watches a JSON reader and passes on the source of a call's arguments while they are being read. It
 * stops at the first repair: from there on the source is not the JSON that comes out.
 */
export class EagerArguments implements JsonWatcher {
  readonly calls: EagerCall[] = [];
  readonly #reader: JsonReader;
  /** Characters given to the reader that it has not settled yet. */
  #unsettled = '';
  #settledTo = 0;
  #from = -1;
  #depth = 0;

  constructor(reader: JsonReader) {
    this.#reader = reader;
    reader.watcher = this;
  }

  memberObject(
    key: string,
    members: Members,
    outerMembers: Members,
    depth: number,
    offset: number,
  ): void {
    if (this.#from >= 0 || !ARGUMENTS.has(key) || !this.#reader.isClean) return;
    const name = NAME_KEYS.map((nameKey) => members[nameKey]).find(isName);
    if (name === undefined) return;
    const id = readId(members) ?? readId(outerMembers);
    this.calls.push({ id, name: name.trim(), fragment: '', isWhole: false });
    this.#from = offset;
    this.#depth = depth;
  }

  memberObjectEnd(depth: number, endOffset: number): void {
    if (this.#from >= 0 && depth === this.#depth) this.#take(endOffset, true);
  }

  /** To be called before the reader reads `chunk`. */
  before(chunk: string): void {
    this.#unsettled = this.#unsettled === '' ? chunk : this.#unsettled + chunk;
  }

  /** To be called after it. */
  after(): void {
    const settled = this.#reader.offset;
    if (this.#from >= 0) this.#take(settled, false);
    this.#unsettled = this.#unsettled.slice(settled - this.#settledTo);
    this.#settledTo = settled;
  }

  #take(to: number, ended: boolean): void {
    const call = this.calls.at(-1);
    if (call === undefined || !this.#reader.isClean) return;
    call.fragment += this.#unsettled.slice(this.#from - this.#settledTo, to - this.#settledTo);
    call.isWhole = ended;
    this.#from = ended ? -1 : to;
  }
}

function isName(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
