import { isJsonObject } from '../../../parse/call-keys.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import type { NativeCall } from '../../reading/answer-call.ts';
import { countOf, jsonTextOf, listOf, readObject, textOf } from '../../wire/json-fields.ts';

/** A call that the server tells, with what else it says of it, such as a signature. */
export interface FragmentedCall extends NativeCall {
  readonly fields: JsonObject;
}

interface OpenCall {
  fields: JsonObject;
  id: string;
  name: string;
  json: string;
  /** Whether the arguments came as an object, which has all of them. */
  isWhole: boolean;
}

interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly json: string;
  readonly isWhole: boolean;
  readonly fields: JsonObject;
}

/**
 * Puts together the calls that a server tells in pieces. The index alone cannot tell them apart: some servers
 * send none, begin at 1, or put every call on 0. Nor can the id: some send none, or one for all.
 */
export class ChatCallFragments {
  readonly #calls: OpenCall[] = [];
  readonly #byIndex = new Map<number, OpenCall>();
  #latest: OpenCall | undefined;

  /** Whether the arguments of every call are there. */
  get areWhole(): boolean {
    return this.#calls.every(isClosed);
  }

  get calls(): readonly FragmentedCall[] {
    return this.#calls;
  }

  /** Reads `tool_calls`, of a chunk or of a whole message. */
  read(calls: JsonValue | undefined): void {
    const touched = new Set<OpenCall>();
    for (const said of listOf(calls)) {
      if (!isJsonObject(said)) continue;
      const call = this.#take(fragmentOf(said), touched);
      if (call !== undefined) touched.add(call);
    }
  }

  #take(fragment: Fragment, touched: ReadonlySet<OpenCall>): OpenCall | undefined {
    const { index, id, json } = fragment;
    const meant = index === undefined ? this.#find(id, touched) : this.#byIndex.get(index);
    if (meant !== undefined && isRepeat(fragment, meant)) return meant;
    const isNew = meant === undefined || begins(fragment, meant);
    const call = isNew ? this.#open() : meant;
    this.#latest = call;
    if (index !== undefined) this.#byIndex.set(index, call);
    if (call.id === '') call.id = id;
    addName(call, fragment.name);
    call.isWhole ||= fragment.isWhole;
    call.json += json;
    call.fields = { ...call.fields, ...fragment.fields };
    return call;
  }

  /** The call that a fragment without an index belongs to. Two entries of one list are two calls. */
  #find(id: string, touched: ReadonlySet<OpenCall>): OpenCall | undefined {
    const named = id === '' ? undefined : this.#calls.find((call) => call.id === id);
    const call = named ?? this.#latest;
    return call === undefined || touched.has(call) ? undefined : call;
  }

  #open(): OpenCall {
    const call = { fields: {}, id: '', name: '', json: '', isWhole: false };
    this.#calls.push(call);
    return call;
  }
}

function fragmentOf(said: JsonObject): Fragment {
  const { index, id, type: _type, function: called, ...others } = said;
  // Some servers leave `function` out and put its fields beside the id.
  const isNested = isJsonObject(called);
  const { name, arguments: args, ...rest } = isNested ? called : others;
  return {
    index: countOf(index),
    id: typeof id === 'number' ? String(id) : textOf(id),
    name: textOf(name),
    json: jsonTextOf(args),
    isWhole: isJsonObject(args),
    fields: isNested ? others : rest,
  };
}

/** Whether a fragment that points to a call is the beginning of another all the same. */
function begins({ id, name, json, isWhole }: Fragment, call: OpenCall): boolean {
  // Only a beginning has a name; a new id alone is sent with every chunk by some.
  if (name === '' || call.name === '') return false;
  if (id !== '' && call.id !== '' && id !== call.id) return true;
  if (name !== call.name) return call.json !== '' || (id !== '' && call.id === '');
  return isClosed(call) && (isWhole || json.trimStart().startsWith('{'));
}

/** Some servers send the whole call again with the finish reason. */
function isRepeat({ id, name, json }: Fragment, call: OpenCall): boolean {
  return id !== '' && id === call.id && name === call.name && isClosed(call) && json === call.json;
}

function isClosed({ json, isWhole }: OpenCall): boolean {
  // Most are not, and show it at their end.
  return isWhole || (json.trimEnd().endsWith('}') && readObject(json) !== undefined);
}

function addName(call: OpenCall, name: string): void {
  if (name === '' || name === call.name || call.json !== '') return;
  // In pieces, or each time from the beginning.
  call.name = name.startsWith(call.name) ? name : call.name + name;
}
