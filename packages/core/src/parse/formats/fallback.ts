import { checkText } from '../check-text.ts';
import type { TextResponse, ToolParser } from '../tool-parser.ts';

/** The end of every chain: the text, as it is. It never fails, so nothing behind it is ever tried. */
export class FallbackParser implements ToolParser {
  readonly name = 'fallback';

  canParse(): boolean {
    return true;
  }

  parse(text: string): TextResponse {
    checkText(text);
    return { type: 'text', content: text };
  }

  validate(): boolean {
    return true;
  }
}
