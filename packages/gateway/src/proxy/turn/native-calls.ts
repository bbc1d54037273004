import type { UpstreamEvent } from './upstream-event.ts';

type CallFragment = Extract<UpstreamEvent, { type: 'call-fragment' }>;

/** A call the upstream read itself, as far as it has told it. */
export interface NativeCall {
  readonly slot: number;
  id: string;
  name: string;
  json: string;
}

/** Puts native calls together from their fragments. */
export class NativeCalls {
  readonly #open = new Map<number, NativeCall>();
  readonly #closed = new Set<number>();

  /** Whether a call was begun and not closed. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Returns the call that the fragment belongs to, or undefined when that one is over. */
  add({ slot, id, name, json }: CallFragment): NativeCall | undefined {
    if (this.#closed.has(slot)) return undefined;
    let call = this.#open.get(slot);
    if (call === undefined) {
      call = { slot, id: '', name: '', json: '' };
      this.#open.set(slot, call);
    }
    if (id !== undefined && call.id === '') call.id = id;
    if (name !== undefined) call.name += name;
    if (json !== undefined) call.json += json;
    return call;
  }

  /** Whether a fragment of that slot begins a call. */
  begins(slot: number): boolean {
    return !this.#open.has(slot) && !this.#closed.has(slot);
  }

  /** Takes out all calls, in order; or those whose arguments are whole, as others may still go on beside them. */
  close(which: 'all' | 'whole'): NativeCall[] {
    const over = [...this.#open.values()].filter((call) => which === 'all' || isWhole(call.json));
    for (const { slot } of over) {
      this.#open.delete(slot);
      this.#closed.add(slot);
    }
    return over.sort((one, other) => one.slot - other.slot);
  }
}

function isWhole(json: string): boolean {
  // Most are not, and show it at their end.
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    return typeof JSON.parse(json) === 'object';
  } catch {
    return false;
  }
}
