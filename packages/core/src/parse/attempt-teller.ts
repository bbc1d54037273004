import type { Attempt, Block } from './block.ts';
import type { Candidate } from './grammar.ts';
import type { ParseIssueCode } from './parse-issue.ts';
import type { ParseStep } from './parse-result.ts';
import type { ParseSink } from './parse-sink.ts';
import { reportIssue } from './report-issue.ts';

/** Counts how each attempt to read a block ended, explains it to who asked, and reports what is wrong. */
export class AttemptTeller {
  readonly #sink: ParseSink;

  constructor(sink: ParseSink) {
    this.#sink = sink;
  }

  succeeded({ candidate, reader }: Attempt, offset: number): void {
    candidate.parser.counters.successes++;
    if (this.#sink.step === undefined) return;
    const names = reader.calls.map(({ name }) => name).join(', ');
    if (names === '') {
      this.#explain(candidate, offset, 'markup', reader.frame?.kind ?? '');
      return;
    }
    const repairs = reader.calls.flatMap((call) => call.repairs);
    this.#explain(candidate, offset, 'call', names, [...new Set(repairs)]);
  }

  /** Calls were read, but of no tool that was offered. */
  unknown(block: Block, { candidate }: Attempt, message: string, offset: number): void {
    candidate.parser.counters.failures++;
    this.#explain(candidate, offset, 'not-a-call', message);
    if (block.attempts.some(({ status }) => status === 'done')) return;
    this.#report('unknown-tool', message, offset, candidate);
  }

  /** The attempt was not made: its parser keeps throwing. */
  leftOut(candidate: Candidate, offset: number): void {
    const { name } = candidate.parser;
    const message = `the parser ${name} kept failing and is left out for a while`;
    this.#skip(candidate, offset, 'parser-skipped', message);
  }

  /** The block has grown past what a call of this parser may be. */
  tooLarge(candidate: Candidate, offset: number, isReported: boolean): void {
    const message = `the call is larger than ${candidate.parser.limits.maxCallBytes} bytes`;
    if (isReported) this.#skipQuietly(candidate, offset, message);
    else this.#skip(candidate, offset, 'call-too-large', message);
  }

  declined(block: Block, attempt: Attempt, offset: number, ending: boolean): void {
    const { candidate, reader, thrown } = attempt;
    const { parser, opening } = candidate;
    parser.counters.failures++;
    if (reader.issue !== undefined) this.#sink.issue(reader.issue);
    if (thrown !== undefined) {
      const message = `the parser ${parser.name} threw: ${thrown.message}`;
      this.#explain(candidate, offset, 'not-a-call', message);
      this.#report('parser-threw', message, offset, candidate);
      return;
    }
    this.#explain(candidate, offset, 'not-a-call', reader.reason);
    if (!reader.resembledCall || block.attempts.some(({ status }) => status === 'done')) return;
    const code = reader.tooDeep
      ? 'call-too-deep'
      : reader.cut && ending
        ? 'incomplete-call'
        : 'unreadable-call';
    this.#report(code, `${opening.text}: ${reader.reason}`, offset, candidate);
  }

  #skip(candidate: Candidate, offset: number, code: ParseIssueCode, message: string): void {
    this.#skipQuietly(candidate, offset, message);
    this.#report(code, message, offset, candidate);
  }

  #skipQuietly(candidate: Candidate, offset: number, message: string): void {
    candidate.parser.counters.skipped++;
    this.#explain(candidate, offset, 'skipped', message);
  }

  #explain(
    { parser, opening }: Candidate,
    offset: number,
    decision: ParseStep['decision'],
    detail: string,
    repairs: ParseStep['repairs'] = [],
  ): void {
    const step = { parser: parser.name, offset, opening: opening.text, decision, detail, repairs };
    this.#sink.step?.(step);
  }

  #report(code: ParseIssueCode, message: string, offset: number, { parser }: Candidate): void {
    reportIssue(this.#sink, code, message, offset, { parser: parser.name });
  }
}
