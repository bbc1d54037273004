import type { CallReader, RawCall, ReadStatus } from '../format.ts';

/** Collects everything from a whole-text parser's opening to the end of the text, and then asks it. */
export class PluginReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reason = '';
  readonly resembledCall = false;
  readonly cut = false;
  readonly tooDeep = false;
  readonly #ask: (text: string) => {
    readonly calls: readonly RawCall[] | undefined;
    readonly detail: string;
  };
  #text = '';

  constructor(
    ask: (text: string) => {
      readonly calls: readonly RawCall[] | undefined;
      readonly detail: string;
    },
  ) {
    this.#ask = ask;
  }

  read(text: string, from: number): ReadStatus {
    this.#text += text.slice(from);
    return 'more';
  }

  end(): ReadStatus {
    const { calls, detail } = this.#ask(this.#text);
    this.endOffset = this.#text.length;
    this.reason = detail;
    this.calls = calls ?? [];
    return calls === undefined ? 'declined' : 'done';
  }
}
