import type { JsonValue } from '../../types.ts';
import { isJsonObject } from '../call-keys.ts';
import { BACKSLASH, isWord } from '../json/char-code.ts';
import type { OfferedTools } from '../offered-tools.ts';
import type { CallDraft } from '../script/call-draft.ts';
import type { MarkerSet } from '../script/marker-set.ts';
import type { Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { PythonReader, UNREAD, VALUE_STOPS } from './python-reader.ts';
import type { ValueTeller } from './python-reader.ts';
import { ValueSlot } from './value-slot.ts';

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
  /** The tools that show what values without quotes, and stray characters, mean. */
  readonly #evidence: OfferedTools | undefined;
  #isList = false;
  /** A quote that was opened before a call and not closed. */
  #strayQuote = '';

  constructor(block: ScriptInput, options: PythonCallOptions = {}) {
    this.#block = block;
    this.#reader = new PythonReader(block, options.blockEnds);
    this.#isMarked = options.blockEnds !== undefined;
    this.#evidence = block.context.evidence;
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
    this.#isList = true;
    reader.open('[');
    yield* reader.next();
    let next: string;
    do {
      if (!(yield* this.call())) return false;
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
      if (!(yield* this.call())) return false;
      next = yield* reader.next();
      while (next === ',' || next === ';') {
        reader.input.skip(1);
        next = yield* reader.next();
      }
    } while (next !== '' && isNameStart(next.charCodeAt(0)));
    return (yield* reader.leaveRest()) || this.#fail('something follows the calls');
  }

  /** Reads one call. Returns whether it is whole. */
  *call(): Script<boolean> {
    const reader = this.#reader;
    if (this.#evidence !== undefined && this.#strayQuote === '')
      this.#strayQuote = yield* takeQuote(reader.input);
    const quote = this.#strayQuote;
    const name = yield* reader.input.takeWhile(this.#isNameCode, LONGEST_NAME);
    // `'f'(a=1)`: only the name is quoted.
    yield* this.#closeQuote();
    const next = yield* reader.input.peek(1);
    if (next === '') return this.#cut();
    const written = this.#unescaped(name);
    if (next !== '(' || !isNameStart(written.charCodeAt(0))) return this.#fail('no call follows');
    const tool = this.#toolOf(written);
    if (tool === undefined && written === PRINT && this.#evidence !== undefined)
      return yield* this.#printed();
    if (tool === undefined) return this.#fail(`${JSON.stringify(written)} is no tool`);
    reader.input.skip(1);
    reader.open('(');
    reader.typeNames = 0;
    reader.isMarkdown = name !== written;
    const draft = yield* this.#arguments(tool);
    if (draft === UNREAD) return false;
    reader.close();
    if (reader.typeNames > 0 && reader.typeNames === draft.size)
      return this.#fail(`its arguments name types: it is the signature of ${tool}`);
    yield* this.#closeQuote();
    if (quote !== '') draft.note('surrounding-text');
    if (name !== written) draft.note('markdown-escape');
    this.#block.endCall(draft, reader.ahead);
    return true;
  }

  /** Takes the quote that closes the one before a call. Models forget it, or put it behind several calls. */
  *#closeQuote(): Script<void> {
    if (this.#strayQuote !== '' && (yield* this.#reader.input.take(this.#strayQuote)))
      this.#strayQuote = '';
  }

  /** `print(f(a=1))`: models that were shown code print what a tool returns. */
  *#printed(): Script<boolean> {
    const reader = this.#reader;
    reader.input.skip(1);
    yield* reader.next();
    if (yield* reader.input.startsWith(`${PRINT}(`)) return this.#fail('no call is printed');
    if (!(yield* this.call())) return false;
    const next = yield* reader.next();
    if (next === '') return this.#cut();
    if (next !== ')') return this.#fail('more than a call is printed');
    reader.input.skip(1);
    const last = this.#block.drafts.at(-1);
    if (last === undefined) return this.#fail('no call is printed');
    last.note('surrounding-text');
    this.#block.endCall(last, reader.ahead);
    return true;
  }

  /** Markdown puts a backslash before underscores. */
  readonly #isNameCode = (code: number): boolean =>
    isNameCharacter(code) || (code === BACKSLASH && this.#block.context.tools !== undefined);

  #unescaped(name: string): string {
    return this.#block.context.tools === undefined ? name : name.replaceAll('\\_', '_');
  }

  /** Arguments up to the closing parenthesis. */
  *#arguments(tool: string): Script<CallDraft | typeof UNREAD> {
    const reader = this.#reader;
    const offered = this.#block.context.tools;
    // Between markers a name is a call whatever comes; elsewhere only what comes shows that it is one.
    let draft = this.#isMarked ? this.#begin(tool) : undefined;
    let position = 0;
    let mayGoOn = true;
    if (this.#evidence !== undefined && (yield* reader.next()) === '{') {
      draft = yield* this.#object(tool, this.#evidence, draft);
      if (draft === undefined) return UNREAD;
      position++;
      mayGoOn = yield* this.#comma();
    }
    for (;;) {
      const { text, marker } = yield* reader.input.until(VALUE_STOPS);
      const word = this.#unescaped(text.trim());
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
      // `a\_b=1`: whoever escapes the names escapes the values too.
      reader.isMarkdown ||= isNamed && word !== text.trim();
      if (key === undefined) return reader.fail(`the arguments of ${tool} are not named`);
      if (draft?.has(key) === true)
        return reader.fail(`the argument ${key} of ${tool} is given twice`);
      // Python takes no value without a name behind one that has a name.
      position = isNamed ? -1 : position + 1;
      draft ??= this.#begin(tool);
      const slot = offered && ValueSlot.of(offered, tool, key);
      const writer = new ArgumentWriter(draft, key, slot);
      if (isNamed) reader.input.skip(1);
      // A value without a name that is no literal is a parameter in a signature as often as a word.
      const value = isNamed
        ? yield* reader.value(writer, this.#evidence && slot)
        : yield* reader.valueFrom(text, marker, writer);
      if (value === UNREAD) {
        if (!isNamed && draft.size === 0 && !this.#isSurelyCall(word, marker))
          this.#block.resemblesCall = false;
        return UNREAD;
      }
      writer.end(value);
      mayGoOn = yield* this.#comma();
    }
  }

  /**
   * Whether a call that begins with a value that is none has failed: `f(city: string)` is a signature. A list
   * at the start of a message is no documentation, and neither is the call of a tool inside the call.
   */
  #isSurelyCall(value: string, stop: string): boolean {
    if (this.#isMarked || (this.#isList && this.#block.context.before === '')) return true;
    return stop === '(' && this.#evidence?.resolve(value) !== undefined;
  }

  *#comma(): Script<boolean> {
    const reader = this.#reader;
    const isComma = (yield* reader.next()) === ',';
    if (isComma) reader.input.skip(1);
    return isComma;
  }

  /** `f({"a": 1})`: an object is the arguments if its keys are parameters, otherwise the first of them. */
  *#object(
    tool: string,
    tools: OfferedTools,
    begun: CallDraft | undefined,
  ): Script<CallDraft | undefined> {
    const reader = this.#reader;
    const json = yield* reader.input.json();
    if (json.value === undefined || !json.complete) {
      if (json.value !== undefined) reader.cut();
      else reader.fail(json.failure);
      return undefined;
    }
    const first = this.#parameterAt(tool, 0);
    const isAll = isJsonObject(json.value) && tools.misfit(tool, json.value) === undefined;
    if (!isAll && first === undefined) {
      reader.fail(`the arguments of ${tool} are not named`);
      return undefined;
    }
    const draft = begun ?? this.#begin(tool);
    for (const repair of json.repairs) draft.note(repair);
    if (json.lossy) draft.markLossy();
    if (!isAll || !isJsonObject(json.value)) draft.set(first ?? '', json.value);
    else for (const [key, value] of Object.entries(json.value)) draft.set(key, value);
    return draft;
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

/** Writes an argument to the draft: a string as it arrives, unless its schema takes no strings. */
class ArgumentWriter implements ValueTeller {
  #isStreamed = false;
  readonly #draft: CallDraft;
  readonly #key: string;
  readonly #slot: ValueSlot | undefined;

  constructor(draft: CallDraft, key: string, slot: ValueSlot | undefined) {
    this.#draft = draft;
    this.#key = key;
    this.#slot = slot;
  }

  beginString(): void {
    this.#isStreamed = this.#slot?.takesText ?? true;
    if (this.#isStreamed) this.#draft.openString(this.#key);
  }

  piece(text: string): void {
    if (this.#isStreamed) this.#draft.append(text);
  }

  end(value: JsonValue): void {
    if (this.#isStreamed) {
      this.#draft.closeString();
      return;
    }
    const fitting = typeof value === 'string' ? (this.#slot?.fromText(value) ?? value) : value;
    if (fitting !== value)
      this.#draft.note(typeof fitting === 'object' ? 'stringified-value' : 'coerced-value');
    this.#draft.set(this.#key, fitting);
  }
}

const PRINT = 'print';

function* takeQuote(input: ScriptInput): Script<string> {
  const next = yield* input.peek(1);
  if (next !== '"' && next !== "'") return '';
  input.skip(1);
  return next;
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
