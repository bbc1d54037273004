import { MarkerSet } from '../script/marker-set.ts';
import type { ValueStyle } from './argument-writer.ts';

/** The tags of a call that is written as a name and pairs of `<arg_key>` and `<arg_value>`. */
export class ArgMarkup {
  readonly callBegin: string;
  readonly callEnd: string;
  readonly keyBegin: string;
  readonly keyEnd: string;
  readonly valueBegin: string;
  readonly valueEnd: string;
  /** Stands behind the last call in some dialects. */
  readonly listEnd: string;
  /** Stands between the name and the arguments in some dialects. */
  readonly separator: string;
  /** Every tag that says how the text before it ends. */
  readonly tags: MarkerSet;
  /** What may end a value, or look as if it did. */
  readonly inValue: MarkerSet;
  /** The tags around a whole call. */
  readonly calls: MarkerSet;

  /** `spell` gives the tags of a dialect its own spelling. */
  constructor(spell: (tag: string) => string, call: string = spell('tool_call')) {
    this.callBegin = `<${call}>`;
    this.callEnd = `</${call}>`;
    this.keyBegin = `<${spell('arg_key')}>`;
    this.keyEnd = `</${spell('arg_key')}>`;
    this.valueBegin = `<${spell('arg_value')}>`;
    this.valueEnd = `</${spell('arg_value')}>`;
    this.separator = `<${spell('tool_sep')}>`;
    this.listEnd = `</${spell('tool_calls')}>`;
    const { callBegin, callEnd, keyBegin, keyEnd, valueBegin, valueEnd } = this;
    const inside = [callBegin, callEnd, keyBegin, keyEnd, valueBegin, valueEnd];
    this.tags = new MarkerSet([...inside, this.listEnd]);
    this.inValue = new MarkerSet([callBegin, callEnd, keyBegin, valueEnd]);
    this.calls = new MarkerSet([callBegin, callEnd]);
  }
}

/** Values are as they were written; what no schema speaks of is the literal it may be. */
export const ARG_STYLE: ValueStyle = { padding: 'none', untyped: 'literal' };
