import type { JsonObject, JsonValue } from '@holdfast/core';
import { ArgumentsEnd } from '../turn/arguments-end.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { countOf, isObject, listOf, objectOf, textOf } from '../json/json-fields.ts';
import { writtenJson } from '../json/written-json.ts';

/** Part of a call, its fields read: what is missing, empty or null is ''. */
interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
  /** Whether the arguments came as an object, which has all of them. */
  readonly isWhole: boolean;
}

interface Slot {
  readonly number: number;
  id: string;
  name: string;
  isNameTold: boolean;
  json: string;
  isWhole: boolean;
  readonly end: ArgumentsEnd;
}

/**
 * Tells the native calls of one choice apart. The index alone cannot be trusted: some servers send none, begin
 * at 1, or put every call on 0. The id cannot either: some send none, or a new one with every chunk.
 */
export class ChatSlots {
  readonly #choice: number;
  readonly #slots: Slot[] = [];
  readonly #byIndex = new Map<number, Slot>();
  readonly #byId = new Map<string, Slot>();
  #latest: Slot | undefined;
  readonly #customs = new Map<string, number>();
  #customCount = 0;
  /** What custom tools are called, which the first part of a call says. */
  readonly #customNames: string[] = [];
  /** How many are not closed: they are asked for with every end that a server tells, and there may be many of both. */
  #openCount = 0;

  constructor(choice: number) {
    this.#choice = choice;
  }

  /** Whether the arguments of every call are there, as far as brackets tell. */
  get areAllClosed(): boolean {
    return this.#openCount === 0;
  }

  /** Reads `tool_calls`, of a chunk or of a whole message. */
  read(calls: JsonValue | undefined, out: UpstreamEvent[]): void {
    const touched = new Set<Slot>();
    for (const call of listOf(calls)) {
      if (!isObject(call)) continue;
      if (isForeign(call)) this.#readForeign(call, out);
      else this.#take(fragmentOf(call), touched, out);
    }
  }

  /** Reads `function_call`, from before there could be several. */
  readLegacy(call: JsonValue | undefined, out: UpstreamEvent[]): void {
    if (isObject(call)) this.#take(fragmentOf(call), new Set(), out);
  }

  /** Tells the names that were held back because a piece might have followed. */
  flush(out: UpstreamEvent[]): void {
    for (const slot of this.#slots) {
      if (slot.isNameTold || slot.name === '') continue;
      slot.isNameTold = true;
      const { number, name } = slot;
      out.push({ type: 'call-fragment', choice: this.#choice, slot: number, name });
    }
  }

  #take(fragment: Fragment, touched: Set<Slot>, out: UpstreamEvent[]): void {
    const meant = this.#find(fragment, touched);
    if (meant !== undefined && isRepeat(fragment, meant)) return;
    const known = meant === undefined || isAnother(fragment, meant) ? undefined : meant;
    const slot = known ?? this.#open();
    touched.add(slot);
    this.#latest = slot;
    const { index, id, json } = fragment;
    if (index !== undefined) this.#byIndex.set(index, slot);
    const isIdNew = slot.id === '' && id !== '';
    if (isIdNew) slot.id = id;
    if (isIdNew && !this.#byId.has(id)) this.#byId.set(id, slot);
    addName(slot, fragment.name);
    const wasClosed = isClosed(slot);
    if (fragment.isWhole) slot.isWhole = true;
    slot.json += json;
    slot.end.feed(json);
    if (!wasClosed && isClosed(slot)) this.#openCount--;
    const isNameDue = json !== '' && !slot.isNameTold && slot.name !== '';
    if (isNameDue) slot.isNameTold = true;
    if (known !== undefined && !isIdNew && json === '') return;
    out.push({
      type: 'call-fragment',
      choice: this.#choice,
      slot: slot.number,
      ...(isIdNew && { id: slot.id }),
      ...(isNameDue && { name: slot.name }),
      ...(json !== '' && { json }),
    });
  }

  /** The call that a fragment points to. */
  #find({ index, id, name }: Fragment, touched: ReadonlySet<Slot>): Slot | undefined {
    const there = index === undefined ? this.#latest : this.#byIndex.get(index);
    // An id that is known leads to its call, unless another index and a name say that two calls share it.
    const named = id === '' || there?.id === id ? undefined : this.#byId.get(id);
    const slot = named !== undefined && (name === '' || index === undefined) ? named : there;
    // Two entries of one list are two calls.
    return slot !== undefined && index === undefined && touched.has(slot) ? undefined : slot;
  }

  #open(): Slot {
    const number = this.#slots.length;
    const slot = {
      number,
      id: '',
      name: '',
      isNameTold: false,
      json: '',
      isWhole: false,
      end: new ArgumentsEnd(),
    };
    this.#slots.push(slot);
    this.#openCount++;
    return slot;
  }

  /** A call that only this protocol has is passed on as it is, under a number of its own. */
  #readForeign(call: JsonObject, out: UpstreamEvent[]): void {
    const place = `at ${countOf(call['index']) ?? 'no index'}`;
    const id = textOf(call['id']);
    const key = id === '' ? place : id;
    const known = this.#customs.get(key);
    const number = known ?? this.#customCount++;
    this.#customs.set(key, number).set(place, number);
    const content = { tool_calls: [{ ...call, index: number }] };
    const { name, input } = objectOf(call['custom']);
    const named = this.#customNames[number] ?? textOf(name);
    const isFirst = named !== '' && this.#customNames[number] === undefined;
    if (isFirst) this.#customNames[number] = named;
    const text = (isFirst ? `${named}: ` : '') + textOf(input);
    const called = named === '' ? {} : { call: { tool: named, text } };
    out.push({ type: 'opaque', choice: this.#choice, content, ...called });
  }
}

/** Calls of custom tools, and of kinds that do not exist yet. */
function isForeign(call: JsonObject): boolean {
  if (isObject(call['function'])) return false;
  const type = textOf(call['type']);
  return isObject(call['custom']) || (type !== '' && type !== 'function');
}

function fragmentOf(call: JsonObject): Fragment {
  // Some servers leave `function` out and put its fields beside the id.
  const { name, arguments: args } = isObject(call['function']) ? call['function'] : call;
  const id = call['id'];
  return {
    index: countOf(call['index']),
    id: typeof id === 'number' ? String(id) : textOf(id),
    name: textOf(name),
    json: jsonOf(args),
    isWhole: isObject(args),
  };
}

/** Arguments as text, also where they were sent as an object. An empty one may stand for what is yet to come. */
function jsonOf(args: JsonValue | undefined): string {
  if (typeof args === 'string') return args;
  if (args === undefined || args === null) return '';
  if (isObject(args) && Object.keys(args).length === 0) return '';
  return writtenJson(args);
}

/** Whether a fragment that points to `slot` is the beginning of another call all the same. */
function isAnother(fragment: Fragment, slot: Slot): boolean {
  const { id, name, json, isWhole } = fragment;
  // Only a beginning has a name; a new id alone is sent with every chunk by some.
  if (name === '' || slot.name === '') return false;
  if (id !== '' && slot.id !== '' && id !== slot.id) return true;
  if (id !== '' && slot.id === '' && name !== slot.name) return true;
  if (isClosed(slot)) return name !== slot.name || isWhole || opensObject(json);
  return slot.json !== '' && name !== slot.name;
}

function isClosed(slot: Slot): boolean {
  return slot.isWhole || slot.end.isClosed;
}

function opensObject(json: string): boolean {
  return json.trimStart().startsWith('{');
}

/** Some servers send the whole call again with the finish reason. */
function isRepeat({ id, name, json }: Fragment, slot: Slot): boolean {
  if (id === '' || id !== slot.id || name !== slot.name) return false;
  return isClosed(slot) && json === slot.json;
}

function addName(slot: Slot, name: string): void {
  if (name === '' || slot.isNameTold || name === slot.name) return;
  // In pieces, or each time from the beginning.
  slot.name = name.startsWith(slot.name) ? name : slot.name + name;
}
