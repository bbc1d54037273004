import type { CallPlace } from './call-places.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { JsonObject, JsonValue, Repair } from '../types.ts';

/** A call as a format reads it, before it gets an id and its tool's name is looked up. */
export interface RawCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly arguments: JsonObject;
  /** JSON text of the arguments, where the model wrote valid JSON for them. */
  readonly argumentsText?: string | undefined;
  readonly repairs: readonly Repair[];
  readonly complete: boolean;
  readonly lossy: boolean;
}

/** A literal that may begin a call. */
export interface Opening {
  readonly text: string;
  /** How many of its characters come before the body. @defaultValue all of them */
  readonly bodyFrom?: number;
  /**
   * Where it counts: anywhere, where a line, a block or reasoning ended just before, or where nothing but
   * space and reasoning came before. One that begins with a letter cannot count anywhere, since every word
   * would have to be looked at. An empty one stands for whatever a text, or a line, begins with.
   * @defaultValue 'anywhere'
   */
  readonly at?: 'anywhere' | 'line-start' | 'text-start';
}

/** What ends reasoning. */
export interface ReasoningEnd {
  readonly text: string;
  /** Whether it is only the end, or the beginning of what comes next. @defaultValue false */
  readonly beginsNext?: boolean;
}

/** A pair of tags around what a model thinks. */
export interface ReasoningTag {
  readonly open: string;
  readonly close: string;
}

/** Markup that is no call: it is left out of the text, and may begin reasoning. */
export type Frame =
  | {
      readonly kind: 'markup';
      /** What the text behind it is, for the formats that ask with `context.mode`. */
      readonly mode?: string;
      /** Whether that text is for the user: then only markup of the same parser is looked for in it. */
      readonly isForUser?: boolean;
    }
  | { readonly kind: 'reasoning'; readonly ends: readonly ReasoningEnd[]; readonly mode?: string };

export type ReadStatus =
  | 'more'
  /** A block was read: see `calls` and `endOffset`. */
  | 'done'
  /** This is no call: see `reason`. */
  | 'declined';

/** Tells what a call's arguments look like while they are still being read. */
export interface EagerCall {
  readonly id: string | undefined;
  readonly name: string;
  /** JSON of the arguments, from their first character, not told before. */
  fragment: string;
  /** Whether no more of them comes. */
  isWhole: boolean;
  /** The arguments themselves, where the reader knows already that it is these. */
  readonly value?: JsonValue;
  /** The first characters of all fragments together, where the reader has them anyway: then nobody else keeps them. */
  readonly first?: (length: number) => string;
}

/** A part of a block, or of what follows it, that could not be read although it looked like a call. */
export interface Unread {
  /** Where it begins, counted from the first character given. */
  readonly at: number;
  readonly reason: string;
}

/** Reads one block, from its body on, over any number of chunks. */
export interface CallReader {
  /** Reads on from `text[from]`; what stands before that in `text` came before it. */
  read(text: string, from: number): ReadStatus;
  /** No more text comes: `done` or `declined`. */
  end(): ReadStatus;
  readonly calls: readonly RawCall[];
  /** Where in the block they stand, where what stands between them is text. */
  readonly places?: readonly CallPlace<RawCall>[] | undefined;
  /** What the block is where it is no call. */
  readonly frame?: Frame | undefined;
  /** Where the block ends, counted from the first character given. */
  readonly endOffset: number;
  /** How far it has read, where that may be further: what lies between is read again, and paid for. */
  readonly reach?: number;
  /** All it was given, where it keeps that anyway: then nobody else does. */
  readonly body?: string;
  /** Why it is no call. */
  readonly reason: string;
  /** Whether it looked enough like a call for the caller to be told that it is none. */
  readonly resembledCall: boolean;
  /** Whether the text ended inside it. */
  readonly cut: boolean;
  /** What could not be read next to its calls. */
  readonly unread?: Unread | undefined;
  /** Whether it went past the depth limit. */
  readonly tooDeep: boolean;
  /** What went wrong in a parser of the user's own. */
  readonly issue?: ParseIssue | undefined;
  /** Calls under way, in order, for `call-start` and `call-delta`; emptied by whoever takes them. */
  readonly eager?: EagerCall[];
}

/** What a reader is given besides the text. */
export interface ReadContext {
  readonly maxDepth: number;
  /** Return a call that the text ended in, marked incomplete, rather than text. */
  readonly keepsIncomplete: boolean;
  /** The tools that were offered; undefined when nobody said. */
  readonly tools: OfferedTools | undefined;
  /** The same tools where their names and parameters prove a call without markup; otherwise undefined. */
  readonly evidence: OfferedTools | undefined;
  /** Whether the parser of that name has read something in this text already. */
  hasRead(parser: string): boolean;
  /** Whether that parser is the one that `format` or `model` names, or has read something already. */
  expects(parser: string): boolean;
  /** What the last frame said of the text behind it. */
  readonly mode: string | undefined;
  /**
   * When a reader is made, the last characters in front of its opening that are no space, at most two; none
   * at the start of the text and behind a block. JSON inside other JSON is told from JSON in prose by them.
   */
  readonly before: string;
  /** `text.indexOf(literal, from)`, remembered: a flood of openings must not search the rest for each. */
  find(text: string, literal: string, from: number): number;
  /** `text.lastIndexOf(literal)`, remembered. */
  findLast(text: string, literal: string): number;
  /**
   * Whether to try native parsing of what ends at `end`: once only. Native parsing that fails costs the
   * length of what it was given, and a flood of openings before one end would pay it for each.
   */
  mayTryWhole(text: string, end: number): boolean;
}

/** One way of writing calls. */
export interface Format {
  readonly openings: readonly Opening[];
  createReader(opening: Opening, context: ReadContext): CallReader;
  /**
   * Whether what stands at `bodyAt`, all of it at hand, cannot be a body. An opening in prose is then passed
   * over without a reader. A reader would have said the same, without a word to the user, and, unless it took
   * nothing, no sooner: what is told must not depend on whether enough had arrived for this look.
   */
  declines?(text: string, bodyAt: number, tools: OfferedTools | undefined): boolean;
  /** The tags its models put around what they think. */
  readonly reasoning?: readonly ReasoningTag[];
  /**
   * Whether only the offered tools show that it is a call: then it is not read without them, in reasoning,
   * or inside a code fence. @defaultValue false
   */
  readonly isBare?: boolean;
  /** Whether a plugin searches the text for its calls: their surroundings are its decision. @defaultValue false */
  readonly isPlugin?: boolean;
}

/** Turns a JSON value into the calls it stands for; undefined when it is none, a string saying why. */
export type CallShape = (value: JsonValue, maxDepth: number) => readonly RawCall[] | string;
