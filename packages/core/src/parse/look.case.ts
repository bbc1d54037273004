import { expect } from 'vitest';
import type { Format, Opening } from './format.ts';
import type { OfferedTools } from './offered-tools.ts';
import { RememberingContext } from './read-context.ts';
import { TextState } from './text-state.ts';

/**
 * What a look rules out, a reader declines, and has nothing to report of: else what is told of a text would
 * depend on whether enough of it had arrived for the look. By the time the reader declines, what it has seen
 * is enough for the look: else what the reader has cost would depend on that.
 */
export function expectLookToAgree(
  format: Format,
  opening: Opening,
  behind: string,
  tools: OfferedTools | undefined,
): void {
  const body = opening.text.slice(opening.bodyFrom ?? opening.text.length) + behind;
  const isRuledOut = (text: string): boolean => format.declines?.(text, 0, tools) === true;
  if (!isRuledOut(body)) return;
  const context = new RememberingContext(64, false, tools, new TextState(), tools);
  const reader = format.createReader(opening, context);
  let status = reader.read('', 0);
  let seen = 0;
  while (status === 'more' && seen < body.length) status = reader.read(body.charAt(seen++), 0);
  if (status === 'more') status = reader.end();
  const { resembledCall } = reader;
  const where = `${JSON.stringify(body)} behind ${opening.text}`;
  expect({ status, resembledCall }, where).toEqual({ status: 'declined', resembledCall: false });
  const isFree = reader.endOffset === 0 || isRuledOut(body.slice(0, seen));
  expect(isFree, `${where}: the reader declines after ${seen} characters`).toBe(true);
}
