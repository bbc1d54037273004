import { ArgumentsEnd } from './arguments-end.ts';
import type { UpstreamEvent } from './upstream-event.ts';

type CallFragment = Extract<UpstreamEvent, { type: 'call-fragment' }>;

/** A call the upstream read itself, as far as it has told it. */
export interface NativeCall {
  readonly slot: number;
  id: string;
  name: string;
  json: string;
  readonly end: ArgumentsEnd;
}

/** Puts native calls together from their fragments. */
export class NativeCalls {
  readonly #open = new Map<number, NativeCall>();
  readonly #closed = new Set<number>();
  /**
   * Those whose brackets have closed since they were last looked at. Each is looked at once: what cannot be read then
   * cannot be read later either, and there may be many, or one that is long.
   */
  #ended: NativeCall[] = [];

  /** Whether a call was begun and not closed. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Returns the call that the fragment belongs to, or undefined when that one is over. */
  add({ slot, id, name, json }: CallFragment): NativeCall | undefined {
    if (this.#closed.has(slot)) return undefined;
    let call = this.#open.get(slot);
    if (call === undefined) {
      call = { slot, id: '', name: '', json: '', end: new ArgumentsEnd() };
      this.#open.set(slot, call);
    }
    if (id !== undefined && call.id === '') call.id = id;
    if (name !== undefined) call.name += name;
    if (json !== undefined) this.#grow(call, json);
    return call;
  }

  /** Whether a fragment of that slot begins a call. */
  begins(slot: number): boolean {
    return !this.#open.has(slot) && !this.#closed.has(slot);
  }

  /** Takes out all calls, in order; or those whose arguments are whole, as others may still go on beside them. */
  close(which: 'all' | 'whole'): NativeCall[] {
    const over = which === 'all' ? [...this.#open.values()] : this.#ended.filter(isWhole);
    this.#ended = [];
    for (const { slot } of over) {
      this.#open.delete(slot);
      this.#closed.add(slot);
    }
    return over.sort((one, other) => one.slot - other.slot);
  }

  #grow(call: NativeCall, json: string): void {
    call.json += json;
    if (hasEnded(call)) return;
    call.end.feed(json);
    if (hasEnded(call)) this.#ended.push(call);
  }
}

function hasEnded({ end }: NativeCall): boolean {
  return end.isClosed;
}

function isWhole({ json }: NativeCall): boolean {
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    return typeof JSON.parse(json) === 'object';
  } catch {
    return false;
  }
}
