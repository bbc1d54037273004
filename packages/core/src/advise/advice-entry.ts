import { InvalidOptionError } from '../errors.ts';
import { FAILURE_TYPES } from '../internal/failure-types.ts';
import type { FailureType } from './classification.ts';

/** One line of the map from what failed to what helps. */
export interface AdviceEntry {
  /** A tool's name, or `any`. */
  readonly tool: string;
  /** What went wrong, or `any`. */
  readonly type: FailureType | 'any';
  /** One next step and what not to do, at most 40 words. */
  readonly text: string;
}

/** A longer text would leave no room for what failed and what the tool said. */
export const MAX_ADVICE_WORDS = 40;

/**
 * Advice from plain data, as a YAML or JSON file gives it: a list of `{ tool, type, text }`, or an object that
 * has it under `advice`. Throws `InvalidOptionError` with the path of what is wrong, what was expected and
 * what is there.
 */
export function adviceFromData(data: unknown): readonly AdviceEntry[] {
  const list = isRecord(data) && Object.hasOwn(data, 'advice') ? data['advice'] : data;
  if (!Array.isArray(list))
    throw new InvalidOptionError('advice', 'a list of { tool, type, text }', list);
  return list.map((entry: unknown, index) => readEntry(entry, `advice[${index}]`));
}

function readEntry(entry: unknown, path: string): AdviceEntry {
  if (!isRecord(entry)) throw new InvalidOptionError(path, 'an object { tool, type, text }', entry);
  for (const key of Object.keys(entry))
    if (key !== 'tool' && key !== 'type' && key !== 'text')
      throw new InvalidOptionError(`${path}.${key}`, 'only tool, type and text', entry[key]);
  const { tool, type, text } = entry;
  if (typeof tool !== 'string' || tool === '')
    throw new InvalidOptionError(`${path}.tool`, "a tool's name or 'any'", tool);
  if (!isAdviceType(type))
    throw new InvalidOptionError(
      `${path}.type`,
      `any or one of ${Object.keys(FAILURE_TYPES).join(', ')}`,
      type,
    );
  if (typeof text !== 'string' || text.trim() === '' || wordCount(text) > MAX_ADVICE_WORDS)
    throw new InvalidOptionError(`${path}.text`, `a text of 1 to ${MAX_ADVICE_WORDS} words`, text);
  return { tool, type, text: text.trim().replace(/\s+/g, ' ') };
}

/** Words as a reader counts them: what stands between spaces. */
export function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}

function isAdviceType(value: unknown): value is FailureType | 'any' {
  return typeof value === 'string' && (value === 'any' || Object.hasOwn(FAILURE_TYPES, value));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
