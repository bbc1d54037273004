import { toRawCall } from '../define-format.ts';
import type { CallReader, RawCall, ReadStatus } from '../format.ts';
import type { ParseIssue } from '../parse-issue.ts';
import type { PluginRun } from '../run-plugin.ts';
import type { ParsedCall } from '../tool-parser.ts';

/** Collects everything from a whole-text parser's opening to the end of the text, and then asks it. */
export class PluginReader implements CallReader {
  calls: readonly RawCall[] = [];
  endOffset = 0;
  reason = '';
  issue: ParseIssue | undefined;
  readonly resembledCall = false;
  readonly cut = false;
  readonly tooDeep = false;
  readonly #ask: (text: string) => PluginRun;
  #text = '';

  constructor(ask: (text: string) => PluginRun) {
    this.#ask = ask;
  }

  read(text: string, from: number): ReadStatus {
    this.#text += text.slice(from);
    return 'more';
  }

  end(): ReadStatus {
    const { calls, detail, issue } = this.#ask(this.#text);
    this.reason = detail;
    this.issue = issue;
    this.endOffset = calls === undefined ? this.#text.length : endOfSources(this.#text, calls);
    this.calls = calls?.map(toRawCall) ?? [];
    return calls === undefined ? 'declined' : 'done';
  }
}

/** Where the last call ends, if the parser says what its calls are written as; the end of the text otherwise. */
function endOfSources(text: string, calls: readonly ParsedCall[]): number {
  let end = 0;
  for (const { raw = '' } of calls) {
    const at = raw === '' ? -1 : text.indexOf(raw, end);
    if (at < 0) return text.length;
    end = at + raw.length;
  }
  return end;
}
