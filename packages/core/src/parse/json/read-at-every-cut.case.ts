import { expect } from 'vitest';
import type { JsonValue, Repair } from '../../types.ts';
import { JsonReader } from './json-reader.ts';

const MAX_DEPTH = 8;

/** What a reader says of a document. */
export interface Reading {
  readonly value: JsonValue | undefined;
  readonly repairs: readonly Repair[];
  readonly complete: boolean;
  readonly lossy: boolean;
  readonly endOffset: number;
  /** Where the end marker first stood in a string. */
  readonly crossedAt: number;
  /** Whether the value was over before the text was. */
  readonly isOver: boolean;
  readonly failure: string;
  readonly failedAt: number;
}

/** Expects that `text` is read so, however it is cut. */
export function expectReading(text: string, expected: Partial<Reading>, endMarker = ''): void {
  const reading = readAtEveryCut(text, endMarker);
  expect(reading).toEqual({ ...reading, ...expected });
}

/** Reads `text` whole, by single characters, and in two pieces cut at each place: all of them have to say the same. */
function readAtEveryCut(text: string, endMarker: string): Reading {
  const whole = readIn([text], endMarker);
  expect(readIn(Array.from(text), endMarker)).toEqual(whole);
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = [text.slice(0, cut), text.slice(cut)];
    expect(readIn(pieces, endMarker), JSON.stringify(pieces)).toEqual(whole);
  }
  return whole;
}

function readIn(pieces: readonly string[], endMarker: string): Reading {
  const reader = new JsonReader({ maxDepth: MAX_DEPTH, endMarker });
  let status = 'more';
  for (const piece of pieces) {
    status = reader.read(piece);
    if (status !== 'more') break;
  }
  const isOver = status !== 'more';
  if (!isOver) reader.end();
  const { value, repairs, complete, lossy, endOffset, crossedAt, failure, failedAt } = reader;
  return failure === ''
    ? { value, repairs, complete, lossy, endOffset, crossedAt, isOver, failure, failedAt: -1 }
    : { ...NOTHING, isOver, failure, failedAt };
}

/** What is read of a document that fails depends on how much of it had come. */
const NOTHING = {
  value: undefined,
  repairs: [],
  complete: false,
  lossy: false,
  endOffset: -1,
  crossedAt: -1,
} as const;
