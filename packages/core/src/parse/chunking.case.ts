import { createToolCallStream } from './create-tool-call-stream.ts';
import type { CreateToolCallStreamOptions } from './create-tool-call-stream.ts';
import type { ParseEvent } from './parse-event.ts';
import type { ParseIssue } from './parse-issue.ts';
import type { ToolCall } from '../types.ts';

/** What a stream told, put together, in the terms of a whole result. */
export interface Told {
  readonly calls: readonly ToolCall[];
  readonly text: string;
  readonly reasoning: string;
  readonly issues: readonly ParseIssue[];
  /** Text deltas, reasoning and the sources of calls, put together. */
  readonly source: string;
  /** Calls whose fragments do not add up to their arguments although nothing said so. */
  readonly wrongFragments: readonly string[];
}

/** Issues about events told too early: they depend on how the text was cut, as those events do. */
const ABOUT_EVENTS: ReadonlySet<string> = new Set(['call-abandoned', 'deltas-superseded']);

export function readChunks(
  chunks: readonly string[],
  options: Omit<CreateToolCallStreamOptions, 'onEvent'> = {},
): Told {
  const events: ParseEvent[] = [];
  const stream = createToolCallStream({
    nextId: () => 'id',
    ...options,
    onEvent: (event) => events.push(event),
  });
  for (const chunk of chunks) stream.feed(chunk);
  stream.end();
  return gather(events);
}

function gather(events: readonly ParseEvent[]): Told {
  const calls: ToolCall[] = [];
  const issues: ParseIssue[] = [];
  const wrongFragments: string[] = [];
  const fragments = new Map<number, string>();
  const superseded = events.some(
    (event) => event.type === 'issue' && event.issue.code === 'deltas-superseded',
  );
  let text = '';
  let reasoning = '';
  let source = '';
  for (const event of events) {
    switch (event.type) {
      case 'text-delta':
        text += event.text;
        source += event.text;
        break;
      case 'reasoning-delta':
        reasoning += event.text;
        source += event.raw;
        break;
      case 'markup':
        source += event.raw;
        break;
      case 'call-start':
        fragments.set(event.index, '');
        break;
      case 'call-delta':
        fragments.set(event.index, (fragments.get(event.index) ?? '') + event.fragment);
        break;
      case 'call-end':
        calls.push(event.call);
        source += event.raw;
        if (!superseded && !saysTheSame(fragments.get(event.index), event.call)) {
          wrongFragments.push(`${event.call.name}: ${fragments.get(event.index) ?? 'nothing'}`);
        }
        break;
      case 'issue':
        if (!ABOUT_EVENTS.has(event.issue.code)) issues.push(event.issue);
        break;
    }
  }
  return { calls, text, reasoning, issues, source, wrongFragments };
}

function saysTheSame(json: string | undefined, call: ToolCall): boolean {
  // What the model wrote is emitted as it was written: comparing values would not see a lost digit.
  if (call.argumentsText !== undefined && json !== call.argumentsText) return false;
  try {
    return JSON.stringify(JSON.parse(json ?? '')) === JSON.stringify(call.arguments);
  } catch {
    return false;
  }
}

/** The whole text, all ways to cut it in two, and all its characters alone. */
export function allCuts(text: string): string[][] {
  const inTwo = Array.from({ length: text.length }, (_, at) => cutAt(text, [at]));
  return [[text], ...inTwo, text.split('')];
}

/** Cuts `text` at the given places, which may be any numbers. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  const chunks: string[] = [];
  let start = 0;
  for (const cut of [...cuts, text.length]) {
    chunks.push(text.slice(start, cut));
    start = cut;
  }
  return chunks;
}
