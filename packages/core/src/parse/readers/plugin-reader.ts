import { findPlaces } from '../call-places.ts';
import type { CallPlace } from '../call-places.ts';
import { toRawCall } from '../define-format.ts';
import type { CallReader, RawCall, ReadStatus } from '../format.ts';
import type { ParseIssue } from '../parse-issue.ts';
import type { PluginRun } from '../run-plugin.ts';

/** Collects everything from a whole-text parser's opening to the end of the text, and then asks it. */
export class PluginReader implements CallReader {
  calls: readonly RawCall[] = [];
  places: readonly CallPlace<RawCall>[] | undefined;
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
    const found = calls?.map((call) => ({ ...toRawCall(call), raw: call.raw ?? '' })) ?? [];
    this.calls = found;
    this.places = calls === undefined ? undefined : findPlaces(this.#text, found);
    this.endOffset = this.places?.at(-1)?.end ?? this.#text.length;
    return calls === undefined ? 'declined' : 'done';
  }
}
