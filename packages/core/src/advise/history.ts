import { maskSecrets } from '../internal/mask-secrets.ts';
import type { FailureType } from './classification.ts';
import { plainLine } from './evidence.ts';

/** One failure, as it is remembered. */
export interface FailureRecord {
  readonly tool: string;
  readonly type: FailureType;
  /** How the output began: at most 150 characters on one line, secrets masked. */
  readonly preview: string;
}

const MAX_PREVIEW = 150;

/** What is masked before it is cut: a secret that is cut in two would not be known for one. */
const MASKED_LENGTH = 4096;

export function failureRecord(tool: string, type: FailureType, output: string): FailureRecord {
  const masked = plainLine(maskSecrets(output.slice(0, MASKED_LENGTH)));
  return { tool, type, preview: cutAt(masked, MAX_PREVIEW) };
}

/** The beginning of a text, never ending in half a character. */
function cutAt(text: string, length: number): string {
  const last = text.length > length ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** The list with one more at its end, and no more than `most`. */
export function withLast<Item>(list: readonly Item[], item: Item, most: number): readonly Item[] {
  const kept = list.slice(Math.max(0, list.length + 1 - most));
  kept.push(item);
  return kept;
}

/** How often a tool has failed in a row. */
export function failuresInARow(
  consecutive: Readonly<Record<string, number>>,
  tool: string,
): number {
  return Object.hasOwn(consecutive, tool) ? (consecutive[tool] ?? 0) : 0;
}

/** The counts with one tool's set, kept to the `most` tools that were used last. */
export function withFailuresInARow(
  consecutive: Readonly<Record<string, number>>,
  tool: string,
  failures: number,
  most: number,
): Readonly<Record<string, number>> {
  const others = Object.entries(consecutive).filter(([name]) => name !== tool);
  const kept = failures === 0 ? others : [...others, [tool, failures] as const];
  return Object.fromEntries(kept.slice(-most));
}
