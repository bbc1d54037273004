import type { Untyped } from '../../internal/schema-values.ts';
import type { ReadContext } from '../format.ts';
import { isStringParameter, parameterSchema, parameterValue } from '../parameter-value.ts';
import type { CallDraft } from '../script/call-draft.ts';
import { readingOfString } from './parameter-reading.ts';
import { LONGEST_HEAD, mayBeLiteral } from './may-be-literal.ts';

/**
 * Which line breaks around a value are markup: one before and one after it, each on its own; the two only
 * together, where the value begins with one; or none.
 */
export type Padding = 'each' | 'pair' | 'none';

/** How the text of a value is to be taken. */
export interface ValueStyle {
  readonly padding: Padding;
  /** What a value means that no schema speaks of. */
  readonly untyped: Untyped;
  /** Whether the model declares a string: it is one unless the schema allows none. @defaultValue false */
  readonly isString?: boolean;
}

/** Takes the text of one argument as it becomes certain. A string is told as it arrives, anything else when it is whole. */
export class ArgumentWriter {
  readonly #context: ReadContext;
  readonly #draft: CallDraft;
  readonly #key: string;
  readonly #style: ValueStyle;
  /** Whether only what comes shows if it is a string. */
  #isUnsure: boolean;
  /** Whether it is a string whatever comes. */
  #isString = false;
  /** The value so far, where it is not told as it arrives. */
  #text = '';
  /** Line breaks that are markup if the value begins, or ends, with them. */
  #lead = '';
  #tail = '';
  #isBegun = false;
  #dropsTail = false;

  constructor(context: ReadContext, draft: CallDraft, key: string, style: ValueStyle) {
    this.#context = context;
    this.#draft = draft;
    this.#key = key;
    this.#style = style;
    this.#isUnsure = parameterSchema(context, draft.name, key) === undefined;
    const isText = this.#isUnsure && style.untyped === 'text';
    const isDeclared =
      style.isString === true && readingOfString(context, draft.name, key).isString('');
    if (isText || isDeclared || isStringParameter(context, draft.name, key)) this.#openString();
  }

  push(piece: string): void {
    if (piece === '') return;
    const text = this.#isBegun ? piece : this.#begin(this.#lead + piece);
    if (!this.#dropsTail) {
      this.#write(text);
      return;
    }
    const all = this.#tail + text;
    const end = all.length - lineBreakAtEnd(all);
    this.#tail = all.slice(end);
    this.#write(all.slice(0, end));
  }

  /** The value is whole. */
  finish(): void {
    if (!this.#isBegun) this.#write(this.#lead);
    // A lone return is no line break.
    if (this.#tail === '\r') this.#write(this.#tail);
    if (this.#isString) this.#draft.closeString();
    else this.#draft.set(this.#key, this.#typed());
  }

  #begin(text: string): string {
    this.#lead = text;
    if (this.#style.padding !== 'none' && text === '\r') return '';
    this.#isBegun = true;
    this.#lead = '';
    if (this.#style.padding === 'none') return text;
    const lead = text.startsWith('\n') ? 1 : text.startsWith('\r\n') ? 2 : 0;
    this.#dropsTail = this.#style.padding === 'each' || lead > 0;
    return text.slice(lead);
  }

  #write(text: string): void {
    if (this.#isString) {
      this.#draft.append(text);
      return;
    }
    this.#text += text;
    if (!this.#isUnsure) return;
    if (!mayBeLiteral(this.#text)) this.#openString();
    // Looking again would cost the length of the value for every chunk.
    else if (this.#text.length > LONGEST_HEAD) this.#isUnsure = false;
  }

  #openString(): void {
    this.#isString = true;
    this.#draft.openString(this.#key);
    this.#draft.append(this.#text);
  }

  #typed(): ReturnType<typeof parameterValue> {
    const { untyped } = this.#style;
    return parameterValue(this.#context, this.#draft.name, this.#key, this.#text, untyped);
  }
}

/** The length of the line break at the end, or of what may become one. */
function lineBreakAtEnd(text: string): number {
  if (text.endsWith('\r\n')) return 2;
  return text.endsWith('\n') || text.endsWith('\r') ? 1 : 0;
}
