import { readExceptions } from './exceptions.ts';
import { parserFor } from './format-names.ts';
import { addOutcomeVector, newOutcomeTallies } from './outcome-tally.ts';
import type { OutcomeTally } from './outcome-tally.ts';
import type { VectorFile } from './read-vectors.ts';
import { runJson } from './run-json.ts';
import { runToolCall } from './run-tool-call.ts';
import type { Difference, ToolCallOutcome } from './run-tool-call.ts';
import { runValue } from './run-values.ts';

/** The tool-call vectors of one file and format. */
export interface FormatTally {
  readonly source: string;
  readonly format: string;
  readonly isSupported: boolean;
  /** Those that count towards the shares. */
  count: number;
  told: number;
  untold: number;
  /** All of them, those outside the shares too. */
  streamedOf: number;
  streamed: number;
  /** Those that expect what we deliberately do otherwise. */
  excepted: number;
  readonly differences: Difference[];
}

/** The JSON and value vectors of one file and kind. */
export interface KindTally {
  readonly source: string;
  readonly kind: string;
  readonly isBinding: boolean;
  count: number;
  exact: number;
  wrong: number;
  refused: number;
  readonly differences: Difference[];
}

/** Vectors of one file that were left out for one reason. */
export interface IdleTally {
  readonly source: string;
  readonly kind: string;
  readonly reason: string;
  count: number;
}

export interface Tally {
  readonly formats: readonly FormatTally[];
  readonly kinds: readonly KindTally[];
  readonly outcomes: readonly OutcomeTally[];
  readonly idle: readonly IdleTally[];
}

/** Runs the vectors of `files`; with `only`, those of one format or kind. */
export function runVectors(files: readonly VectorFile[], only?: string): Tally {
  const formats = new Map<string, FormatTally>();
  const kinds = new Map<string, KindTally>();
  const outcomes = new Map<string, readonly OutcomeTally[]>();
  const idle = new Map<string, IdleTally>();
  const exceptions = readExceptions();
  for (const { source, vectors } of files) {
    for (const vector of vectors) {
      const name = vector.shape === 'tool-call' ? vector.format : vector.kind;
      if (only !== undefined && name !== only) continue;
      const key = `${source} ${name}`;
      if (vector.shape === 'tool-call') {
        const tally = entry(formats, key, () => newFormat(source, name));
        addOutcome(tally, runToolCall(vector), exceptions.has(vector.id));
      } else if (vector.shape === 'outcome') {
        addOutcomeVector(
          entry(outcomes, source, () => newOutcomeTallies(source)),
          vector,
        );
      } else if (vector.shape !== 'idle') {
        const isBinding = vector.shape === 'json' && vector.isBinding;
        const tally = entry(kinds, key, () => newKind(source, name, isBinding));
        const { verdict, difference } =
          vector.shape === 'json' ? runJson(vector) : runValue(vector);
        tally.count++;
        tally[verdict]++;
        if (difference !== undefined) tally.differences.push(difference);
      } else {
        const { reason } = vector;
        entry(idle, `${key} ${reason}`, () => ({ source, kind: name, reason, count: 0 })).count++;
      }
    }
  }
  return {
    formats: [...formats.values()],
    kinds: [...kinds.values()],
    outcomes: [...outcomes.values()].flat(),
    idle: [...idle.values()],
  };
}

function addOutcome(tally: FormatTally, outcome: ToolCallOutcome, isExcepted: boolean): void {
  tally.streamedOf++;
  tally.streamed += Number(outcome.streamed);
  if (isExcepted) {
    tally.excepted++;
    tally.differences.push(...outcome.differences.filter(({ what }) => what.includes('streamed')));
    return;
  }
  tally.count++;
  tally.told += Number(outcome.told === true);
  tally.untold += Number(outcome.untold);
  tally.differences.push(...outcome.differences);
}

function newFormat(source: string, format: string): FormatTally {
  const isSupported = parserFor(format) !== undefined;
  const none = { count: 0, told: 0, untold: 0, streamedOf: 0, streamed: 0, excepted: 0 };
  return { source, format, isSupported, ...none, differences: [] };
}

function newKind(source: string, kind: string, isBinding: boolean): KindTally {
  const none = { count: 0, exact: 0, wrong: 0, refused: 0 };
  return { source, kind, isBinding, ...none, differences: [] };
}

function entry<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const created = create();
  map.set(key, created);
  return created;
}
