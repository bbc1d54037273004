/** What happened to a text that could not be read as it was meant. */
export type ParseIssueCode =
  /** Markers or keys of a call, but no call could be read: it came back as text. */
  | 'unreadable-call'
  /** The text ended inside a call: it came back as text. */
  | 'incomplete-call'
  /** A call told by `call-start` came back as text after all. */
  | 'call-abandoned'
  /** The fragments told by `call-delta` differ from the arguments that were read in the end. */
  | 'deltas-superseded'
  | 'call-too-large'
  | 'call-too-deep'
  | 'input-too-large'
  | 'parse-timeout'
  /** Reading parts of the text again cost too much: the rest passed through as text. */
  | 'work-budget-exceeded'
  /** The text ended inside a reasoning block. */
  | 'unclosed-reasoning'
  /** The text ended reasoning that it did not begin: its prompt may open it. */
  | 'orphan-reasoning-end'
  /** A parser threw: what it was given counts as no call. */
  | 'parser-threw'
  /** A fallback comes before other parsers, which are never tried: reported on the first parse. */
  | 'fallback-first'
  /** A parser kept failing and is left out for a while. */
  | 'parser-skipped'
  /** A parser returned calls that its own `validate` or the shape of a call refuses. */
  | 'invalid-calls'
  /** A parameter wants a number and was given more digits than a number can hold: the call is lossy. */
  | 'digits-lost'
  /** The message only shows or explains the call, in code, a quote or a sentence: it came back as text. */
  | 'quoted-call'
  /** The call names a tool that was not offered. */
  | 'unknown-tool';

/** Something the caller may want to know; no text is ever lost over it. */
export interface ParseIssue {
  readonly code: ParseIssueCode;
  /** What happened, what was expected, what arrived. */
  readonly message: string;
  /** Where in the text, in UTF-16 code units from its start. */
  readonly offset: number;
  /** The parser it concerns. */
  readonly parser?: string;
  /** The call it concerns, where it had been told. */
  readonly callId?: string;
}
