import { bodyFrom } from './block.ts';
import type { Attempt, Block } from './block.ts';
import type { CallReader } from './format.ts';
import type { Candidate } from './grammar.ts';
import type { ParseIssueCode } from './parse-issue.ts';
import type { ParseStep } from './parse-result.ts';
import type { ParseSink } from './parse-sink.ts';
import { reportIssue } from './report-issue.ts';

/** Counts how each attempt to read a block ended, explains it to who asked, and reports what is wrong. */
export class AttemptTeller {
  readonly #sink: ParseSink;
  /** How far the last block reached that was reported: what is found inside it again is not news. */
  #reportedTo = 0;

  constructor(sink: ParseSink) {
    this.#sink = sink;
  }

  succeeded({ candidate, reader }: Attempt, offset: number): void {
    candidate.parser.counters.successes++;
    this.#reportUnread(candidate, reader, offset + bodyFrom(candidate));
    if (this.#sink.step === undefined) return;
    const names = reader.calls.map(({ name }) => name).join(', ');
    if (names === '') {
      this.#explain(candidate, offset, 'markup', reader.frame?.kind ?? '');
      return;
    }
    const repairs = reader.calls.flatMap((call) => call.repairs);
    this.#explain(candidate, offset, 'call', names, [...new Set(repairs)]);
  }

  /** Calls before it are complete; the one that is not comes back as text. */
  #reportUnread(candidate: Candidate, reader: CallReader, bodyAt: number): void {
    const { unread, cut, calls, endOffset } = reader;
    const { text } = candidate.opening;
    if (cut && calls.every(({ complete }) => complete)) {
      const message = `${text}: the text ends inside a call`;
      this.#complain('incomplete-call', message, bodyAt + endOffset, Infinity, candidate);
    } else if (unread !== undefined) {
      const message = `${text}: ${unread.reason}`;
      this.#complain('unreadable-call', message, bodyAt + unread.at, 1, candidate);
    }
  }

  /** Calls were read, but of no tool that was offered. */
  unknown(block: Block, attempt: Attempt, message: string, offset: number): void {
    const { candidate } = attempt;
    this.#explain(candidate, offset, 'not-a-call', message);
    if (block.attempts.some(({ status }) => status === 'done')) return;
    this.#complain('unknown-tool', message, offset, attempt.reader.endOffset, candidate);
  }

  /** The attempt was not made: its parser keeps throwing. */
  leftOut(candidate: Candidate, offset: number): void {
    const { name } = candidate.parser;
    const message = `the parser ${name} kept failing and is left out for a while`;
    this.#skip(candidate, offset, message);
    this.#report('parser-skipped', message, offset, candidate);
  }

  /** The block has grown past what a call of this parser may be. */
  tooLarge(candidate: Candidate, offset: number): void {
    const { maxCallBytes } = candidate.parser.limits;
    const message = `the call is larger than ${maxCallBytes} bytes`;
    this.#skip(candidate, offset, message);
    this.#complain('call-too-large', message, offset, maxCallBytes, candidate);
  }

  declined(block: Block, attempt: Attempt, offset: number): void {
    const { candidate, reader, thrown } = attempt;
    const { parser, opening } = candidate;
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
      : reader.cut
        ? 'incomplete-call'
        : 'unreadable-call';
    const { text } = opening;
    const message = text === '' ? reader.reason : `${text}: ${reader.reason}`;
    this.#complain(code, message, offset, reader.endOffset, candidate);
  }

  /** Reports that a block looked like a call and is none. */
  #complain(
    code: ParseIssueCode,
    message: string,
    offset: number,
    length: number,
    candidate: Candidate,
  ): void {
    if (offset < this.#reportedTo) return;
    this.#reportedTo = offset + Math.max(1, length);
    this.#report(code, message, offset, candidate);
  }

  #skip(candidate: Candidate, offset: number, message: string): void {
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
