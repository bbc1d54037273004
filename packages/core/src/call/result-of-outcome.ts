import type { ToolResult } from '../advise/classification.ts';
import type { ToolOutcome } from './tool-outcome.ts';

/** More of a value says nothing more about how the call went. */
const MOST_OUTPUT = 16_384;

/** How a call went, as the advisor has to know it. */
export function resultOfOutcome(outcome: ToolOutcome): ToolResult {
  const { call, durationMs } = outcome;
  const about = { tool: call.name, arguments: call.arguments, durationMs };
  if (outcome.ok) return { ...about, output: textOf(outcome.value), isError: false };
  const { failure, issues } = outcome;
  const isUnknownTool = issues?.some(({ code }) => code === 'unknown-tool') === true;
  return {
    ...about,
    output: failure.message,
    isError: true,
    failureClass: failure.class,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    ...(isUnknownTool ? { notRun: 'unknown-tool' } : {}),
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, MOST_OUTPUT);
  try {
    // Undefined for a function, and for undefined itself.
    const json = JSON.stringify(value) as string | undefined;
    return (json ?? '').slice(0, MOST_OUTPUT);
  } catch {
    // A value that refers to itself: that it came back is all there is to say.
    return '';
  }
}
