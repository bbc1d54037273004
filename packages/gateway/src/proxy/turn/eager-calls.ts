import type { ParseEvent } from '@holdfast/core/parse';
import type { CallDesk } from './call-desk.ts';
import type { NativeCall } from './native-calls.ts';
import type { TurnEvent } from './turn-event.ts';

type Began = Extract<ParseEvent, { type: 'call-start' | 'call-delta' }>;

interface EagerCall {
  readonly index: number;
  /** How much of a native call's arguments was told. */
  told: number;
}

/**
 * Tells calls while they are read. What was told cannot be taken back: a call that turns out to be none is
 * an error of the turn, which `failure` says.
 */
export class EagerCalls {
  /** Set once a call that was begun cannot be finished. */
  failure: string | undefined;
  readonly #choice: number;
  readonly #desk: CallDesk;
  readonly #read = new Map<string, EagerCall>();
  readonly #native = new Map<number, EagerCall>();

  constructor(choice: number, desk: CallDesk) {
    this.#choice = choice;
    this.#desk = desk;
  }

  has(id: string): boolean {
    return this.#read.has(id);
  }

  take(event: Began): TurnEvent[] {
    const choice = this.#choice;
    if (event.type === 'call-start') {
      const { index, id } = this.#desk.begin(event.id);
      this.#read.set(event.id, { index, told: 0 });
      return [{ type: 'call-start', choice, index, id, name: event.name }];
    }
    const call = this.#read.get(event.id);
    if (call === undefined || event.fragment === '') return [];
    return [{ type: 'call-delta', choice, index: call.index, json: event.fragment }];
  }

  /** The call has ended as it was told. */
  finish(id: string): TurnEvent[] {
    const call = this.#read.get(id);
    if (call === undefined) return [];
    this.#read.delete(id);
    return [{ type: 'call-end', choice: this.#choice, index: call.index }];
  }

  takeIssue(code: string): void {
    if (code === 'call-abandoned' || code === 'deltas-superseded')
      this.failure ??= 'a call that was told while it was read turned out to be another, or none';
  }

  hasNative({ slot }: NativeCall): boolean {
    return this.#native.has(slot);
  }

  /** Tells what is new of a native call, once its name is known. */
  takeNative(native: NativeCall): TurnEvent[] {
    const choice = this.#choice;
    const out: TurnEvent[] = [];
    let call = this.#native.get(native.slot);
    if (call === undefined) {
      // The name comes before the arguments, perhaps in pieces.
      if (native.name === '' || native.json === '') return out;
      const name = this.#desk.offeredName(native.name.trim());
      // It becomes text when it is complete.
      if (name === undefined) return out;
      const { index, id } = this.#desk.begin(native.id);
      call = { index, told: 0 };
      this.#native.set(native.slot, call);
      out.push({ type: 'call-start', choice, index, id, name });
    }
    const json = native.json.slice(call.told);
    call.told = native.json.length;
    if (json !== '') out.push({ type: 'call-delta', choice, index: call.index, json });
    return out;
  }

  /** `isRight` says whether the arguments, as they were told, are whole and valid. */
  finishNative({ slot, name }: NativeCall, isRight: boolean): TurnEvent[] {
    const call = this.#native.get(slot);
    if (call === undefined) return [];
    if (!isRight) {
      this.failure ??= `the arguments of a call of "${name}" are cut or broken, and were told already`;
      return [];
    }
    return [{ type: 'call-end', choice: this.#choice, index: call.index }];
  }
}
