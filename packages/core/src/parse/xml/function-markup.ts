import { MarkerSet } from '../script/marker-set.ts';
import type { ValueStyle } from './argument-writer.ts';
import {
  FUNCTION_CLOSINGS,
  FUNCTION_OPENINGS,
  PARAMETER_CLOSINGS,
  PARAMETER_OPENINGS,
} from './function-tag.ts';

export interface FunctionMarkupOptions extends ValueStyle {
  /** The tag around functions. */
  readonly tag: string;
  /** Whether no other dialect has that tag: then a block with nothing in it is markup, not text. */
  readonly isOwnTag: boolean;
}

/** How a dialect writes `<function=…>` blocks: what stands around them, and what their values mean. */
export class FunctionMarkup {
  readonly blockBegin: string;
  readonly blockEnd: string;
  readonly isOwnTag: boolean;
  readonly style: ValueStyle;
  /** What may end a value, or look as if it did. */
  readonly inValue: MarkerSet;
  /** What shows whether a value ended before it. */
  readonly behindValue: MarkerSet;
  /** What may stand between two parameters. */
  readonly inFunction: MarkerSet;

  constructor(options: FunctionMarkupOptions) {
    this.blockBegin = `<${options.tag}>`;
    this.blockEnd = `</${options.tag}>`;
    this.isOwnTag = options.isOwnTag;
    this.style = options;
    const parameters = [...PARAMETER_OPENINGS, ...PARAMETER_CLOSINGS];
    this.inFunction = new MarkerSet([...parameters, ...FUNCTION_CLOSINGS, this.blockEnd]);
    const functions = [...FUNCTION_OPENINGS, ...FUNCTION_CLOSINGS];
    this.inValue = new MarkerSet([...parameters, ...functions, this.blockEnd]);
    this.behindValue = new MarkerSet([...parameters, ...functions, this.blockBegin, this.blockEnd]);
  }
}
