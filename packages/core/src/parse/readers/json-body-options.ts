import type { JsonValue } from '../../types.ts';
import type { RawCall } from '../format.ts';

/** The calls a value stands for, or why it is none. `isCut` says that the text ended in it. */
export type BodyShape = (
  value: JsonValue,
  maxDepth: number,
  isCut: boolean,
) => readonly RawCall[] | string;

/** What a block is made of whose body is JSON. */
export interface JsonBodyOptions {
  /** What ends the block. @defaultValue nothing: it ends with the JSON */
  readonly endMarker?: string;
  /**
   * Whether the end marker must follow the JSON, or the end of the text, or the next block; whether text
   * may follow where the marker was forgotten; or whether nobody expects the marker.
   * @defaultValue 'required', and without a marker 'optional'
   */
  readonly end?: 'required' | 'forgettable' | 'optional';
  /** Other markers that models end it with by mistake. */
  readonly otherEndMarkers?: readonly string[];
  /** Whether the closing tag may be called like the tool. @defaultValue false */
  readonly closesByName?: boolean;
  /** What begins the next block, where the end marker of this one was forgotten. */
  readonly nextOpening?: string;
  readonly shape?: BodyShape;
  /** Whether an object that lacks nothing but its last brace has all it needs. @defaultValue if it has arguments */
  readonly isWhole?: (value: JsonValue) => boolean;
  /**
   * Whether a body that is no call, as far as it was read, looked enough like one for that to be reported.
   * @defaultValue if it is JSON
   */
  readonly resembles?: (value: JsonValue | undefined) => boolean;
  /** Whether what cannot be read is passed over where the block has calls that can. */
  readonly passesOver?: boolean;
  /** Whether closing brackets without their other half belong to the block where it ends. @defaultValue true */
  readonly takesExtra?: boolean;
  /** Whether a call is told while it is being read. @defaultValue true, unless what cannot be read is passed over */
  readonly tellsEarly?: boolean;
  /** Why calls, with the repairs they took, do not count; undefined when they do. */
  readonly refuses?: (calls: readonly RawCall[]) => string | undefined;
}
