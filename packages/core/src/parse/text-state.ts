/** What is known of a text beyond the place it is read at, for formats whose markup depends on what came before. */
export class TextState {
  /** The parsers that have read something in it. */
  readonly parsersSeen: string[] = [];
  /** The parser that `format` or `model` names. */
  readonly preferred: string | undefined;
  /** What the last frame said of the text behind it. */
  mode: string | undefined;
  /** The last characters in front of the opening that are no space, at most two; none behind a block. */
  before: string = '';

  constructor(preferred?: string) {
    this.preferred = preferred;
  }

  see(parser: string): void {
    if (!this.parsersSeen.includes(parser)) this.parsersSeen.push(parser);
  }
}
