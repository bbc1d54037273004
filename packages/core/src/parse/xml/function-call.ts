import { parameterSchema } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { MarkerSet } from '../script/marker-set.ts';
import { readArguments } from '../script/read-arguments.ts';
import type { Declined, Script } from '../script/script.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { areAllArgumentsSet } from './are-all-arguments-set.ts';
import { ArgumentWriter } from './argument-writer.ts';
import type { FunctionMarkup } from './function-markup.ts';
import { readTag } from './function-tag.ts';
import type { FunctionTag } from './function-tag.ts';
import { readFunctionValue } from './function-value.ts';
import { isNewArgument } from './is-new-argument.ts';
import { isToolName } from './tool-name.ts';

/** What comes after a function: more of its block, or nothing; then `result` is that of the block. */
export type FunctionEnd =
  { readonly goesOn: true } | { readonly goesOn: false; readonly result: Declined | undefined };

/** Reads one function from behind its opening tag. */
export class FunctionCallReader {
  readonly #input: ScriptInput;
  readonly #markup: FunctionMarkup;
  readonly #isWrapped: boolean;
  readonly #name: string;
  #begun: CallDraft | undefined;

  constructor(input: ScriptInput, markup: FunctionMarkup, name: string, isWrapped: boolean) {
    this.#input = input;
    this.#markup = markup;
    this.#name = name;
    this.#isWrapped = isWrapped;
  }

  *read(): Script<FunctionEnd> {
    const input = this.#input;
    let tag: FunctionTag | undefined;
    for (;;) {
      if (tag === undefined) {
        yield* input.skipSpace();
        if (yield* this.#isAtNextCall()) return this.#endBeforeNext();
        const marker = yield* input.takeAny(this.#markup.inFunction);
        if (marker === undefined) {
          const end = yield* this.#readOther();
          if (end !== undefined) return end;
          continue;
        }
        if (marker === this.#markup.blockEnd) return this.#endAtBlockEnd();
        tag = (yield* readTag(input, marker)).tag;
        if (tag === undefined) return this.#stop('no parameter follows');
      }
      if (tag.isClosing) {
        if (tag.element === 'function') return this.#end();
        // A closing tag too many.
        tag = undefined;
        continue;
      }
      const end: FunctionEnd | FunctionTag | undefined = yield* this.#readParameter(tag);
      if (end !== undefined && 'goesOn' in end) return end;
      tag = end;
    }
  }

  get #draft(): CallDraft {
    this.#begun ??= this.#input.beginCall(this.#name);
    return this.#begun;
  }

  *#isAtNextCall(): Script<boolean> {
    const { blockBegin } = this.#markup;
    return (
      (yield* this.#input.startsWith(blockBegin)) || (yield* this.#input.startsWith('<function'))
    );
  }

  /** The function was not closed. Without any parameter it is only mentioned. */
  #endBeforeNext(): FunctionEnd {
    if (this.#begun === undefined) return this.#stop('it is neither closed nor has it parameters');
    this.#begun.note('missing-end-marker');
    return this.#end();
  }

  #endAtBlockEnd(): FunctionEnd {
    if (!this.#isWrapped && this.#begun === undefined) return this.#stop('it is not closed');
    this.#draft.note('missing-end-marker');
    this.#input.endCall(this.#draft);
    return { goesOn: false, result: undefined };
  }

  #end(): FunctionEnd {
    this.#input.endCall(this.#draft);
    return { goesOn: true };
  }

  #stop(reason: string): FunctionEnd {
    return { goesOn: false, result: this.#input.stop(reason) };
  }

  #cutShort(): FunctionEnd {
    return { goesOn: false, result: this.#input.cutShort() };
  }

  /** What is neither a parameter nor an end. */
  *#readOther(): Script<FunctionEnd | undefined> {
    const input = this.#input;
    if (yield* input.isAtEnd()) {
      if (this.#begun === undefined && !this.#isWrapped) return this.#cutShort();
      if (!areAllArgumentsSet(input.context, this.#draft)) return this.#cutShort();
      this.#draft.note('missing-end-marker');
      return this.#end();
    }
    if (this.#begun === undefined && this.#isWrapped && (yield* input.startsWith('{'))) {
      const result = yield* readArguments(input, this.#draft, FUNCTION_END);
      const isWhole = result === undefined && input.endsAt === undefined && this.#draft.isClosed;
      return isWhole ? { goesOn: true } : { goesOn: false, result };
    }
    return yield* this.#readChild();
  }

  /** `<city>Paris</city>`, where the tool has such a parameter. */
  *#readChild(): Script<FunctionEnd | undefined> {
    const input = this.#input;
    if (!(yield* input.take('<'))) return this.#stop('no parameter follows');
    const key = yield* input.takeWhile(isKeyCharacter, LONGEST_KEY);
    const isKnown = parameterSchema(input.context, this.#name, key) !== undefined;
    if (!isKnown || !(yield* input.take('>'))) return this.#stop('no parameter follows');
    const writer = this.#writerFor(key);
    const end = `</${key}>`;
    const { marker } = yield* input.until(new MarkerSet([end]), (piece) => writer.push(piece));
    if (marker === undefined) return this.#cutShort();
    input.skip(end.length);
    writer.finish();
    return undefined;
  }

  /** Returns how the function ended, or the tag that was read behind the parameter, if one was. */
  *#readParameter(tag: FunctionTag): Script<FunctionEnd | FunctionTag | undefined> {
    const input = this.#input;
    const key = tag.isGuess ? '' : tag.name === '' ? yield* this.#readKey() : tag.name;
    if (key === '') return this.#stop('a parameter has no name');
    const writer = this.#writerFor(key);
    writer.push(tag.rest);
    if (tag.isEmpty) {
      writer.finish();
      return undefined;
    }
    const isNext = (other: FunctionTag): boolean => this.#isNext(other, key, tag.name === '');
    const end = yield* readFunctionValue(input, writer, this.#markup, isNext);
    if (end.by === 'nothing') return this.#cutShort();
    if (end.by === 'anything') return this.#stop('the value does not end');
    writer.finish();
    const draft = this.#draft;
    if (end.isDirty) {
      draft.note('surrounding-text');
      draft.markLossy();
    }
    if (end.by !== 'parameter' && tag.name !== '' && !(end.by === 'next' && end.isDirty))
      draft.note('missing-end-marker');
    if (end.by === 'parameter') return undefined;
    if (end.by === 'next') return end.tag;
    input.endCall(draft);
    if (!end.isLast) return { goesOn: true };
    input.endsAt = end.at;
    return { goesOn: false, result: undefined };
  }

  /** `<parameter>city</parameter>` before its value. */
  *#readKey(): Script<string> {
    const key = yield* this.#input.takeWhile(isKeyCharacter, LONGEST_KEY);
    return (yield* this.#input.take('</parameter>')) ? key : '';
  }

  /** Whether a tag in the value of `key` begins another parameter. */
  #isNext({ name, isGuess }: FunctionTag, key: string, hasKeysInside: boolean): boolean {
    if (isGuess) return false;
    if (name === '') return hasKeysInside;
    return isNewArgument(this.#input.context, this.#draft, key, name);
  }

  #writerFor(key: string): ArgumentWriter {
    return new ArgumentWriter(this.#input.context, this.#draft, key, this.#markup.style);
  }
}

/** The name of the tool that a function's tag names; undefined when it names none. */
export function* readFunctionName(
  input: ScriptInput,
  tag: FunctionTag,
): Script<string | undefined> {
  const { context } = input;
  if (tag.isGuess) return context.tools?.resolve(tag.name) === undefined ? undefined : tag.name;
  // Some names are written with spaces.
  if (tag.name !== '')
    return isToolName(context, tag.name.replaceAll(' ', '_')) ? tag.name : undefined;
  // `<function>NAME</function>`, and the parameters behind it.
  const name = (yield* input.takeWhile(isInLine, LONGEST_KEY)).trim();
  yield* input.take('</function>');
  return isToolName(context, name) ? name : undefined;
}

const FUNCTION_END = { marker: '</function>', next: '<function=' };
const LONGEST_KEY = 128;

function isInLine(code: number): boolean {
  return code !== LESS_THAN && code !== NEWLINE;
}

function isKeyCharacter(code: number): boolean {
  return code !== LESS_THAN && code !== GREATER_THAN && code > SPACE;
}

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const NEWLINE = 0x0a;
const SPACE = 0x20;
