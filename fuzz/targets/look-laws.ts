import type { FormatParser, ToolDefinition } from '@holdfast/core/parse';
import { OfferedTools } from '../../packages/core/src/parse/offered-tools.ts';
import { RememberingContext } from '../../packages/core/src/parse/read-context.ts';
import { TextState } from '../../packages/core/src/parse/text-state.ts';
import { expectTrue } from '../loop/fuzz-target.ts';

/**
 * What a look rules out, a reader declines with nothing to report, and by then it has seen what the look needs: else
 * what is told would depend on how much of the text had arrived.
 */
export function checkLook(
  parser: FormatParser,
  text: string,
  chosen: number,
  tools: readonly ToolDefinition[] | undefined,
): void {
  const format = parser.formats[chosen % parser.formats.length];
  const opening = format?.openings[chosen % format.openings.length];
  if (format?.declines === undefined || opening === undefined) return;
  const offered = tools === undefined ? undefined : new OfferedTools(tools);
  const body = opening.text.slice(opening.bodyFrom ?? opening.text.length) + text;
  const isRuledOut = (seen: string): boolean => format.declines?.(seen, 0, offered) === true;
  if (!isRuledOut(body)) return;
  const context = new RememberingContext(64, false, offered, new TextState(), offered);
  const reader = format.createReader(opening, context);
  let status = reader.read('', 0);
  let seen = 0;
  while (status === 'more' && seen < body.length) status = reader.read(body.charAt(seen++), 0);
  if (status === 'more') status = reader.end();
  const where = (): string => `behind ${opening.text}, after ${seen} characters: ${status}`;
  expectTrue('what a look rules out is declined', status === 'declined', where);
  expectTrue('what a look rules out resembles no call', !reader.resembledCall, where);
  const isFree = reader.endOffset === 0 || isRuledOut(body.slice(0, seen));
  expectTrue('a reader declines no sooner than a look', isFree, where);
}
