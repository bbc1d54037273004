import { ARRAY, OBJECT, STRING, typesOf } from '../../internal/schema-types.ts';
import { newWalk } from '../../internal/schema-values.ts';
import { spellingOf } from '../../internal/tool-names.ts';
import type { JsonObject, JsonValue } from '../../types.ts';
import { parameterSchema, parameterValue } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { ArgumentWriter } from './argument-writer.ts';
import { elementsIn } from './element-tree.ts';
import { closingTags, elementTagsOf } from './element-tags.ts';
import type { ElementTags } from './element-tags.ts';
import { readElementValue } from './element-value.ts';
import type { ElementValueEnd } from './element-value.ts';
import { NestedValues } from './nested-value.ts';
import { readTagRest } from './tag-rest.ts';
import { ValueText } from './value-text.ts';
import { readYamlBody } from './yaml-body.ts';

/** No name of a tool or a parameter is longer. */
const LONGEST = 128;

/** Reads `<tool><parameter>value</parameter></tool>` from behind its first `<`, if the tool was offered. */
export function* readElementCall(input: ScriptInput): Script<Declined | undefined> {
  const { tools } = input.context;
  if (tools === undefined) return input.decline('no tools were given');
  const name = yield* input.takeWhile(isNameCode, LONGEST);
  if (tools.resolve(name) !== name) return input.decline(`${JSON.stringify(name)} is no tool`);
  const tag = yield* readTagRest(input);
  if (tag === undefined) {
    return (yield* input.isAtEnd()) ? input.cutShort() : input.decline('the tag has no end');
  }
  const draft = input.beginCall(name);
  for (const [key, value] of tag.attributes)
    draft.set(key, parameterValue(input.context, name, key, value, 'literal'));
  if (tag.isEmpty) {
    input.endCall(draft);
    return undefined;
  }
  yield* input.skipSpace();
  if (yield* input.startsWith('{')) {
    const [marker = '', ...others] = closingTags(name);
    return yield* readArguments(input, draft, { marker, markers: new MarkerSet(others) });
  }
  if (yield* input.startsWith('<')) return yield* new ElementCall(input, draft).read();
  return yield* readLines(input, draft);
}

/** Reads parameters in tags behind the name of their tool, as far as they go: nothing closes the call. */
export function* readOpenElements(
  input: ScriptInput,
  draft: CallDraft,
): Script<Declined | undefined> {
  return yield* new ElementCall(input, draft, true).read();
}

/** Parameters as `key: value` lines. */
function* readLines(input: ScriptInput, draft: CallDraft): Script<Declined | undefined> {
  const { context } = input;
  const { text, marker } = yield* input.until(new MarkerSet(closingTags(draft.name)));
  if (marker === undefined) return input.cutShort();
  const entries = readYamlBody(text);
  if (entries === undefined) return input.stop('what it holds is no list of arguments');
  for (const { key, text: written, value } of entries) {
    const typed = value ?? parameterValue(context, draft.name, key, written ?? '', 'literal');
    draft.set(key, typed);
  }
  input.skip(marker.length);
  input.endCall(draft);
  return undefined;
}

/** A call whose parameters are elements. */
class ElementCall {
  readonly #input: ScriptInput;
  readonly #draft: CallDraft;
  readonly #isOpen: boolean;
  readonly #root: JsonObject | undefined;
  readonly #tags: ElementTags;
  /** The values of a parameter that may be there again, as the next item of its list. */
  #items: JsonValue[] = [];
  #listed: string | undefined;

  /** `isOpen` says that nothing closes the call. */
  constructor(input: ScriptInput, draft: CallDraft, isOpen = false) {
    this.#input = input;
    this.#draft = draft;
    this.#isOpen = isOpen;
    this.#root = input.context.tools?.parametersOf(draft.name);
    this.#tags = elementTagsOf(draft.name, this.#root);
  }

  *read(): Script<Declined | undefined> {
    const input = this.#input;
    for (;;) {
      const end = input.offset;
      yield* input.skipSpace();
      if ((yield* input.takeAny(this.#tags.callCloses)) !== undefined) {
        this.#finishList();
        input.endCall(this.#draft);
        return undefined;
      }
      if (this.#isOpen && !(yield* input.startsWith('<'))) {
        this.#finishList();
        input.endCall(this.#draft);
        input.endsAt = end;
        return undefined;
      }
      if (yield* input.isAtEnd()) return input.cutShort();
      if (!(yield* input.take('<'))) return input.stop('what follows is no parameter');
      const name = yield* input.takeWhile(isNameCode, LONGEST);
      const isEmpty = (yield* input.take('/>')) || (yield* input.take(' />'));
      if (!isEmpty && !(yield* input.take('>'))) {
        if (yield* input.isAtEnd()) return input.cutShort();
        return input.stop('what follows is no parameter');
      }
      const key = this.#keyFor(name);
      if (key === undefined || name === '') return input.stop(`${name} is no parameter`);
      if (isEmpty) this.#take(key, '');
      else if ((yield* this.#readParameter(name, key)) === 'cut') return input.cutShort();
    }
  }

  /** The parameter that an element is; undefined when it is none. */
  #keyFor(name: string): string | undefined {
    const { parameters } = this.#tags;
    if (parameters === undefined || parameters.includes(name)) return name;
    const alike = parameters.filter((key) => spellingOf(key) === spellingOf(name));
    return alike.length === 1 ? alike[0] : undefined;
  }

  *#readParameter(name: string, key: string): Script<'read' | 'cut'> {
    const { context } = this.#input;
    // The same again, or one that is not there yet.
    const mayFollow = (other: string): boolean => other === key || !this.#draft.has(other);
    const types = this.#typesOf(key);
    const isContainer = types !== undefined && (types & STRING) === 0 && (types & CONTAINER) !== 0;
    if (isContainer) {
      let text = '';
      const value = new ValueText(false, (piece) => (text += piece));
      const end = yield* this.#readValue(name, value, mayFollow);
      if (end === 'cut') return 'cut';
      this.#noteLoss(value);
      this.#take(key, text);
      return 'read';
    }
    this.#finishList();
    if (this.#draft.has(key)) this.#draft.markLossy();
    const writer = new ArgumentWriter(context, this.#draft, key, {
      padding: 'pair',
      untyped: 'literal',
    });
    const value = new ValueText(false, (piece) => writer.push(piece));
    const end = yield* this.#readValue(name, value, mayFollow);
    if (end === 'cut') return 'cut';
    this.#noteLoss(value);
    writer.finish();
    return 'read';
  }

  #readValue(
    name: string,
    value: ValueText,
    mayFollow: (parameter: string) => boolean,
  ): Script<ElementValueEnd> {
    return readElementValue(this.#input, this.#tags, name, value, mayFollow, this.#isOpen);
  }

  /** The text of a parameter is whole, and may be an item of a list. */
  #take(key: string, text: string): void {
    if (this.#listed !== key) this.#finishList();
    const { context } = this.#input;
    const schema = parameterSchema(context, this.#draft.name, key);
    const element = elementsIn(text, context.maxDepth);
    const value =
      element === undefined
        ? parameterValue(context, this.#draft.name, key, text, 'literal')
        : new NestedValues(this.#root, 'literal').valueOf(element, schema);
    this.#listed = key;
    this.#items.push(value);
  }

  #finishList(): void {
    const key = this.#listed;
    if (key === undefined) return;
    const [first = null] = this.#items;
    const isList = this.#items.length > 1 && ((this.#typesOf(key) ?? ARRAY) & ARRAY) !== 0;
    if (this.#draft.has(key) || (!isList && this.#items.length > 1)) this.#draft.markLossy();
    const isSingle = !isList && !Array.isArray(first) && this.#typesOf(key) === ARRAY;
    this.#draft.set(key, isList ? this.#items.flat() : isSingle ? [first] : first);
    this.#items = [];
    this.#listed = undefined;
  }

  #noteLoss(value: ValueText): void {
    if (!value.isLossy) return;
    this.#draft.note('surrounding-text');
    this.#draft.markLossy();
  }

  #typesOf(key: string): number | undefined {
    const schema = parameterSchema(this.#input.context, this.#draft.name, key);
    return typesOf(schema, newWalk(this.#root, 0));
  }
}

const CONTAINER = ARRAY | OBJECT;

/** What the name of an element is written with, from its first character on. */
export function isNameCode(code: number): boolean {
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  const isDigit = code >= 0x30 && code <= 0x39;
  return isLetter || isDigit || code === 0x5f || code === 0x2d || code === 0x2e;
}
