import type { JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { isWord } from '../json/char-code.ts';
import type { CallDraft } from '../script/call-draft.ts';
import type { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { PythonReader, UNREAD, VALUE_STOPS } from './python-reader.ts';
import type { ValueTeller } from './python-reader.ts';

/** No tool and no parameter has a longer name; prose is longer. */
export const LONGEST_NAME = 128;

export interface PythonCallOptions {
  /** What ends the block. Up to it, quotes inside a string are told from the one that ends it. */
  readonly blockEnds?: MarkerSet;
  /** The tool that a written name calls; undefined when it calls none. @defaultValue the name itself */
  readonly toolOf?: (written: string) => string | undefined;
}

/** Reads calls of Python, `name(key=value, …)`, as calls of tools. */
export class PythonCalls {
  readonly #block: ScriptInput;
  readonly #reader: PythonReader;
  readonly #toolOf: (written: string) => string | undefined;
  readonly #isMarked: boolean;

  constructor(block: ScriptInput, options: PythonCallOptions = {}) {
    this.#block = block;
    this.#reader = new PythonReader(block, options.blockEnds);
    this.#isMarked = options.blockEnds !== undefined;
    this.#toolOf = options.toolOf ?? ((written) => written);
  }

  /** Why not all was read. */
  get failure(): string {
    return this.#reader.failure;
  }

  /** Whether the text ended in it. */
  get isCut(): boolean {
    return this.#reader.isCut;
  }

  /** Reads `f(a=1), g()]` from behind the bracket. Returns whether it is whole. */
  *list(): Script<boolean> {
    const reader = this.#reader;
    reader.open('[');
    yield* reader.next();
    let next: string;
    do {
      if (!(yield* this.#call())) return false;
      next = yield* reader.next();
      if (next === '') return this.#cut();
      if (next !== ',' && next !== ']') return this.#fail('there is no comma between two calls');
      if (next === ',') {
        reader.input.skip(1);
        next = yield* reader.next();
      }
    } while (next !== ']');
    reader.input.skip(1);
    reader.close();
    // The bracket belongs to the last call, whether the end of the block follows or not.
    const last = this.#block.drafts.at(-1);
    if (last !== undefined) this.#block.endCall(last, reader.ahead);
    return (yield* reader.leaveRest()) || this.#fail('something follows the list of calls');
  }

  /** Reads calls that follow one another until what comes is none. Returns whether the last of them is whole. */
  *statements(): Script<boolean> {
    const reader = this.#reader;
    let next: string;
    do {
      if (!(yield* this.#call())) return false;
      next = yield* reader.next();
      while (next === ',' || next === ';') {
        reader.input.skip(1);
        next = yield* reader.next();
      }
    } while (next !== '' && isNameStart(next.charCodeAt(0)));
    return (yield* reader.leaveRest()) || this.#fail('something follows the calls');
  }

  *#call(): Script<boolean> {
    const reader = this.#reader;
    const written = yield* reader.input.takeWhile(isNameCharacter, LONGEST_NAME);
    const next = yield* reader.input.peek(1);
    if (next === '') return this.#cut();
    if (next !== '(' || !isNameStart(written.charCodeAt(0))) return this.#fail('no call follows');
    const tool = this.#toolOf(written);
    if (tool === undefined) return this.#fail(`${JSON.stringify(written)} is no tool`);
    reader.input.skip(1);
    reader.open('(');
    const draft = yield* this.#arguments(tool);
    if (draft === UNREAD) return false;
    reader.close();
    this.#block.endCall(draft, reader.ahead);
    return true;
  }

  /** Arguments up to the closing parenthesis. */
  *#arguments(tool: string): Script<CallDraft | typeof UNREAD> {
    const reader = this.#reader;
    // Between markers a name is a call whatever comes; elsewhere only what comes shows that it is one.
    let draft = this.#isMarked ? this.#begin(tool) : undefined;
    let position = 0;
    let mayGoOn = true;
    for (;;) {
      const { text, marker } = yield* reader.input.until(VALUE_STOPS);
      const word = text.trim();
      if (marker === '#' && word === '') {
        yield* reader.skipComment();
        continue;
      }
      if (marker === ')' && word === '') {
        reader.input.skip(1);
        return draft ?? this.#begin(tool);
      }
      if (marker === undefined) return reader.cut();
      if (!mayGoOn) return reader.fail('a value is no literal');
      const isNamed = marker === '=' && isName(word) && (yield* reader.input.peek(2)) !== '==';
      const key = isNamed ? word : this.#parameterAt(tool, position);
      if (key === undefined || draft?.has(key) === true)
        return reader.fail(`the arguments of ${tool} are not named, or one is named twice`);
      // Python takes no value without a name behind one that has a name.
      position = isNamed ? -1 : position + 1;
      draft ??= this.#begin(tool);
      const teller = new ArgumentTeller(draft, key);
      if (isNamed) reader.input.skip(1);
      const value = isNamed
        ? yield* reader.value(teller)
        : yield* reader.valueFrom(text, marker, teller);
      if (value === UNREAD) return UNREAD;
      teller.end(value);
      mayGoOn = (yield* reader.next()) === ',';
      if (mayGoOn) reader.input.skip(1);
    }
  }

  #begin(tool: string): CallDraft {
    const draft = this.#block.beginCall(tool);
    this.#reader.notes = draft;
    return draft;
  }

  /** The parameter that a value without a name is for, where the tool is known. */
  #parameterAt(tool: string, position: number): string | undefined {
    const properties = this.#block.context.tools?.parametersOf(tool)?.['properties'];
    return isJsonObject(properties) ? Object.keys(properties)[position] : undefined;
  }

  #cut(): false {
    this.#reader.cut();
    return false;
  }

  #fail(reason: string): false {
    this.#reader.fail(reason);
    return false;
  }
}

/** Tells an argument that is a string as it arrives. */
class ArgumentTeller implements ValueTeller {
  #isString = false;
  readonly #draft: CallDraft;
  readonly #key: string;

  constructor(draft: CallDraft, key: string) {
    this.#draft = draft;
    this.#key = key;
  }

  beginString(): void {
    this.#isString = true;
    this.#draft.openString(this.#key);
  }

  piece(text: string): void {
    this.#draft.append(text);
  }

  end(value: JsonValue): void {
    if (this.#isString) this.#draft.closeString();
    else this.#draft.set(this.#key, value);
  }
}

function isName(word: string): boolean {
  if (word.length > LONGEST_NAME || !isNameStart(word.charCodeAt(0))) return false;
  for (let at = 1; at < word.length; at++) if (!isNameCharacter(word.charCodeAt(at))) return false;
  return true;
}

export function isNameStart(code: number): boolean {
  return isWord(code) && !(code >= 0x30 && code <= 0x39) && code !== 0x24;
}

export function isNameCharacter(code: number): boolean {
  return isWord(code) || code === 0x2e || code === 0x2d;
}
