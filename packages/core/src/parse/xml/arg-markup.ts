import { MarkerSet } from '../script/marker-set.ts';
import type { ValueStyle } from './argument-writer.ts';

/** The tags of one spelling. A dialect that lacks one of the optional tags omits it. */
export interface ArgTags {
  readonly callBegin: string;
  readonly callEnd: string;
  readonly keyBegin: string;
  readonly keyEnd?: string;
  readonly valueBegin: string;
  readonly valueEnd: string;
  /** Follows the last call. */
  readonly listEnd?: string;
  /** Separates the name from the arguments. */
  readonly separator?: string;
  /** Surround the type of a value, between its key and the value itself. */
  readonly typeBegin?: string;
  readonly typeEnd?: string;
}

export interface ArgMarkupOptions {
  /** Another spelling of keys and values, used by the whole call. @defaultValue none */
  readonly other?: ArgMarkup;
  /** Whether the first value of a repeated key counts. @defaultValue false: the last one does */
  readonly keepsFirst?: boolean;
}

/** The tags of a call that is written as a name and pairs of `<arg_key>` and `<arg_value>`. */
export class ArgMarkup {
  readonly callBegin: string;
  readonly callEnd: string;
  readonly keyBegin: string;
  /** Undefined where the beginning of the value ends the key. */
  readonly keyEnd: string | undefined;
  readonly valueBegin: string;
  readonly valueEnd: string;
  readonly listEnds: MarkerSet;
  readonly separators: MarkerSet;
  readonly keyEnds: MarkerSet;
  readonly hasTypes: boolean;
  readonly typeBegins: MarkerSet;
  readonly typeEnds: MarkerSet;
  /** Every tag that may follow the name of the tool. */
  readonly afterName: MarkerSet;
  /** Every tag that may follow a key. */
  readonly afterKey: MarkerSet;
  /** Every tag that may follow a key that has ended. */
  readonly beforeValue: MarkerSet;
  /** Every tag that says how the text before it ends. */
  readonly tags: MarkerSet;
  /** What may end a value, or look as if it did. */
  readonly inValue: MarkerSet;
  /** The tags around a whole call. */
  readonly calls: MarkerSet;
  readonly other: ArgMarkup | undefined;
  readonly keepsFirst: boolean;

  constructor(tags: ArgTags, { other, keepsFirst = false }: ArgMarkupOptions = {}) {
    const { callBegin, callEnd, keyBegin, valueBegin, valueEnd } = tags;
    this.callBegin = callBegin;
    this.callEnd = callEnd;
    this.keyBegin = keyBegin;
    this.valueBegin = valueBegin;
    this.valueEnd = valueEnd;
    this.keyEnd = tags.keyEnd;
    this.listEnds = markersOf(tags.listEnd);
    this.separators = markersOf(tags.separator);
    this.keyEnds = markersOf(tags.keyEnd);
    this.hasTypes = tags.typeBegin !== undefined;
    this.typeBegins = markersOf(tags.typeBegin);
    this.typeEnds = markersOf(tags.typeEnd);
    this.afterName = markersOf(callEnd, keyBegin, tags.separator, other?.keyBegin);
    this.afterKey = markersOf(tags.keyEnd, valueBegin);
    this.beforeValue = markersOf(tags.typeBegin, valueBegin);
    const inside = [callBegin, callEnd, keyBegin, tags.keyEnd, valueBegin, valueEnd];
    this.tags = markersOf(...inside, tags.listEnd);
    this.inValue = markersOf(callBegin, callEnd, keyBegin, valueEnd);
    this.calls = markersOf(callBegin, callEnd);
    this.other = other;
    this.keepsFirst = keepsFirst;
  }
}

/** The tags of GLM in the spelling of a dialect. */
export function argTags(
  spell: (tag: string) => string,
  call: string = spell('tool_call'),
): ArgTags {
  const open = (tag: string): string => `<${spell(tag)}>`;
  const close = (tag: string): string => `</${spell(tag)}>`;
  return {
    callBegin: `<${call}>`,
    callEnd: `</${call}>`,
    keyBegin: open('arg_key'),
    keyEnd: close('arg_key'),
    valueBegin: open('arg_value'),
    valueEnd: close('arg_value'),
    listEnd: close('tool_calls'),
    separator: open('tool_sep'),
  };
}

function markersOf(...tags: readonly (string | undefined)[]): MarkerSet {
  return new MarkerSet(tags.filter((tag) => tag !== undefined));
}

/** Values are as they were written; what no schema speaks of is the literal it may be. */
export const ARG_STYLE: ValueStyle = { padding: 'none', untyped: 'literal' };
/** The same for a value that the model declares to be a string. */
export const STRING_STYLE: ValueStyle = { ...ARG_STYLE, isString: true };
