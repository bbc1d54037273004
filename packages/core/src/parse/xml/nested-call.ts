import { isStringParameter, parameterSchema, parameterValue } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { readMarkedTag } from './marked-tag.ts';
import type { MarkedTag } from './marked-tag.ts';
import { newElement } from './nested-element.ts';
import type { NestedElement } from './nested-element.ts';
import { NestedValues } from './nested-value.ts';
import { isToolName } from './tool-name.ts';

/** A tag that belongs to what is further out; `done` when nothing is left to be said; else what to return. */
export type NestedOutcome = MarkedTag | 'done' | { readonly returns: Declined | undefined };

/** How an element ended: with its own tag, with a tag that belongs further out, or not at all. */
type ElementEnd = MarkedTag | 'closed' | 'cut' | 'stray';

/**
 * Reads calls whose parameters are elements named after them. Every tag has `mark` before it, so
 * that a text may hold anything else.
 */
export class NestedCallReader {
  readonly #mark: string;
  readonly #marks: MarkerSet;
  readonly #invoke: string;
  readonly #wrapper: string;

  constructor(mark: string, invoke: string, wrapper: string) {
    this.#mark = mark;
    this.#marks = new MarkerSet([mark]);
    this.#invoke = invoke;
    this.#wrapper = wrapper;
  }

  /** Reads a block from behind the mark of its first tag. */
  *readBlock(input: ScriptInput): Script<Declined | undefined> {
    const first = yield* readMarkedTag(input);
    const isWrapped = first?.name === this.#wrapper && !first.isClosing;
    let tag = isWrapped ? undefined : first;
    if (!isWrapped && !this.#isInvoke(first)) return input.decline('no call follows');
    for (;;) {
      tag ??= yield* this.#nextTag(input);
      if (tag?.name === this.#wrapper && tag.isClosing) return undefined;
      if (!this.#isInvoke(tag)) {
        if (isWrapped) input.drafts.at(-1)?.note('missing-end-marker');
        return input.stop('no call follows');
      }
      const outcome = yield* this.#readInvoke(input, tag?.attribute ?? '');
      if (typeof outcome === 'object' && 'returns' in outcome) return outcome.returns;
      tag = outcome === 'done' ? undefined : outcome;
    }
  }

  #isInvoke(tag: MarkedTag | undefined): boolean {
    return tag?.name === this.#invoke && !tag.isClosing;
  }

  *#nextTag(input: ScriptInput): Script<MarkedTag | undefined> {
    yield* input.skipSpace();
    return (yield* input.take(this.#mark)) ? yield* readMarkedTag(input) : undefined;
  }

  *#readInvoke(input: ScriptInput, name: string): Script<NestedOutcome> {
    if (!isToolName(input.context, name)) return { returns: input.stop('it names no tool') };
    const draft = input.beginCall(name);
    let tag: MarkedTag | undefined;
    for (;;) {
      tag ??= yield* this.#nextParameter(input, draft);
      if (tag === undefined) {
        if (yield* input.isAtEnd()) return { returns: input.cutShort() };
        return { returns: input.stop('what follows is no parameter') };
      }
      if (tag.isClosing || tag.name === this.#invoke) {
        const isOwn = tag.isClosing && tag.name === this.#invoke;
        if (!isOwn && !this.#isOurs(tag)) return { returns: input.stop(`${tag.name} is not open`) };
        if (!isOwn) draft.note('missing-end-marker');
        input.endCall(draft);
        return isOwn ? 'done' : tag;
      }
      const end: ElementEnd = yield* this.#readParameter(input, draft, tag.name);
      if (end === 'cut') return { returns: input.cutShort() };
      if (end === 'stray') return { returns: input.stop('a tag closes what is not open') };
      if (end !== 'closed') draft.note('missing-end-marker');
      tag = end === 'closed' ? undefined : end;
    }
  }

  /** The next tag in a call. What stands before it is no part of any parameter. */
  *#nextParameter(input: ScriptInput, draft: CallDraft): Script<MarkedTag | undefined> {
    const { text, marker } = yield* input.until(this.#marks);
    if (marker === undefined) return undefined;
    if (text.trim() !== '') {
      draft.note('surrounding-text');
      draft.markLossy();
    }
    return yield* this.#nextTag(input);
  }

  *#readParameter(input: ScriptInput, draft: CallDraft, key: string): Script<ElementEnd> {
    const { context } = input;
    if (draft.has(key)) draft.markLossy();
    if (isStringParameter(context, draft.name, key)) {
      draft.openString(key);
      const end = yield* this.#readString(input, key, (piece) => draft.append(piece));
      if (end !== 'cut' && end !== 'stray') draft.closeString();
      return end;
    }
    const element = newElement(key);
    const end = yield* this.#readElement(input, element, [key]);
    if (end === 'cut' || end === 'stray') return end;
    if (element.children.length === 0) {
      draft.set(key, parameterValue(context, draft.name, key, element.text, 'text'));
      return end;
    }
    const values = new NestedValues(context.tools?.parametersOf(draft.name), 'text');
    draft.set(key, values.valueOf(element, parameterSchema(context, draft.name, key)));
    return end;
  }

  /** The text of a parameter that is a string: elements in it are part of the text. */
  *#readString(input: ScriptInput, key: string, add: (piece: string) => void): Script<ElementEnd> {
    const open: string[] = [];
    for (;;) {
      const { marker } = yield* input.until(this.#marks, add);
      if (marker === undefined) return 'cut';
      input.skip(marker.length);
      const tag = yield* readMarkedTag(input);
      if (tag === undefined) return (yield* input.isAtEnd()) ? 'cut' : 'stray';
      if (!tag.isClosing) open.push(tag.name);
      else if (open.at(-1) === tag.name) open.pop();
      else if (tag.name === key) return 'closed';
      else return this.#isOurs(tag) ? tag : 'stray';
      if (open.length > input.context.maxDepth) return 'stray';
      add(marker + tag.source);
    }
  }

  /** Reads what is in `element` and its closing tag. `open` are the elements around it, with itself. */
  *#readElement(
    input: ScriptInput,
    element: NestedElement,
    open: readonly string[],
  ): Script<ElementEnd> {
    let tag: MarkedTag | undefined;
    for (;;) {
      if (tag === undefined) {
        const { text, marker } = yield* input.until(this.#marks);
        if (marker === undefined) return 'cut';
        element.text += text;
        input.skip(marker.length);
        tag = yield* readMarkedTag(input);
        if (tag === undefined) return (yield* input.isAtEnd()) ? 'cut' : 'stray';
      }
      if (tag.isClosing) {
        if (tag.name === element.name) return 'closed';
        return open.includes(tag.name) || this.#isOurs(tag) ? tag : 'stray';
      }
      if (tag.name === this.#invoke) return tag;
      if (open.length >= input.context.maxDepth) {
        input.isTooDeep = true;
        return 'stray';
      }
      const child = newElement(tag.name);
      element.children.push(child);
      const end: ElementEnd = yield* this.#readElement(input, child, [...open, child.name]);
      if (end === 'cut' || end === 'stray') return end;
      tag = end === 'closed' ? undefined : end;
    }
  }

  /** Whether the tag is one of the call or the block around it. */
  #isOurs(tag: MarkedTag): boolean {
    return tag.name === this.#invoke || tag.name === this.#wrapper;
  }
}
