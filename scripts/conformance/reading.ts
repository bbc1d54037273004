import { isDeepStrictEqual } from 'node:util';
import { createToolCallStream, parseToolCalls } from '@holdfast/core/parse';
import type {
  ParseEvent,
  ParseIssue,
  ParseToolCallsOptions,
  Segment,
  ToolCall,
} from '@holdfast/core/parse';

/** What was read out of a text, in a form that can be compared between chunkings. */
export interface Reading {
  readonly calls: readonly ToolCall[];
  readonly text: string;
  readonly reasoning: string;
  /** The text before the first call. */
  readonly lead: string;
  /** Text and reasoning in the order they were written. */
  readonly spoken: string;
  readonly issues: readonly ParseIssue[];
}

export interface StreamReading extends Reading {
  /** What the events broke of the promises they are documented with. */
  readonly faults: readonly string[];
}

export type ReadOptions = Omit<ParseToolCallsOptions, 'nextId' | 'clock' | 'explain'>;

/** Issues about what a stream had told already; a text read at once has told nothing. */
const ABOUT_STREAMS: ReadonlySet<string> = new Set(['call-abandoned', 'deltas-superseded']);

/** Time stands still: the last resort against a slow machine must not decide a comparison. */
const CLOCK = { now: () => 0 };

const NEW_ID = 'new-';

export function readWhole(text: string, options: ReadOptions): Reading {
  const result = parseToolCalls(text, { ...options, clock: CLOCK, nextId: numberedIds() });
  const source = result.segments.map(({ raw }) => raw).join('');
  if (source !== text) throw new Error('the segments put together are not the input');
  const spoken = result.segments.map((segment) => {
    if (segment.type === 'text') return segment.raw;
    return segment.type === 'reasoning' ? segment.text : '';
  });
  return comparable({ ...result, spoken: spoken.join(''), lead: leadOf(result.segments) });
}

export function readStreamed(chunks: readonly string[], options: ReadOptions): StreamReading {
  const log = new EventLog();
  const onEvent = (event: ParseEvent): void => log.add(event);
  const stream = createToolCallStream({
    // The default for a complete text.
    startsInReasoning: 'auto',
    ...options,
    clock: CLOCK,
    nextId: numberedIds(),
    onEvent,
  });
  for (const chunk of chunks) stream.feed(chunk);
  stream.end();
  if (log.source !== chunks.join('')) log.faults.push('the events put together are not the input');
  return { ...comparable(log), faults: log.faults };
}

/** What a stream has told of a text that is still going on; a call it has begun counts. */
export function readPrefix(text: string, options: ReadOptions): Reading {
  const log = new EventLog();
  const begun: ToolCall[] = [];
  const stream = createToolCallStream({
    ...options,
    clock: CLOCK,
    nextId: numberedIds(),
    onEvent: (event) => {
      log.add(event);
      if (event.type !== 'call-start') return;
      const { id, name, format } = event;
      const none = { arguments: {}, repairs: [], complete: false, lossy: false };
      begun[event.index] = { id, name, format, ...none };
    },
  });
  stream.feed(text);
  const { text: told, reasoning, spoken, lead, issues } = log;
  const calls = begun.map((call, at) => log.calls[at] ?? call);
  return comparable({ calls, text: told, reasoning, spoken, lead, issues });
}

function leadOf(segments: readonly Segment[]): string {
  const first = segments.findIndex(({ type }) => type === 'calls');
  const before = first < 0 ? segments : segments.slice(0, first);
  return before.map(({ type, raw }) => (type === 'text' ? raw : '')).join('');
}

/** Adds up events as a client would, and notes where they break their promises. */
class EventLog {
  readonly calls: ToolCall[] = [];
  readonly issues: ParseIssue[] = [];
  readonly faults: string[] = [];
  text = '';
  reasoning = '';
  spoken = '';
  lead = '';
  source = '';
  /** By the number of the call: models give two calls the same id. */
  readonly #fragments = new Map<number, string>();
  readonly #superseded = new Set<string>();

  add(event: ParseEvent): void {
    switch (event.type) {
      case 'text-delta':
        this.text += event.text;
        if (this.calls.length === 0) this.lead += event.text;
        this.spoken += event.text;
        this.source += event.text;
        break;
      case 'reasoning-delta':
        this.reasoning += event.text;
        this.spoken += event.text;
        this.source += event.raw;
        break;
      case 'markup':
        this.source += event.raw;
        break;
      case 'call-start':
        this.#fragments.set(event.index, '');
        break;
      case 'call-delta':
        this.#fragments.set(event.index, (this.#fragments.get(event.index) ?? '') + event.fragment);
        break;
      case 'call-end':
        this.#checkCall(event.index, event.call);
        this.calls.push(event.call);
        this.source += event.raw;
        break;
      case 'issue':
        this.issues.push(event.issue);
        if (event.issue.code === 'deltas-superseded')
          this.#superseded.add(event.issue.callId ?? '');
        break;
    }
  }

  #checkCall(index: number, call: ToolCall): void {
    if (index !== this.calls.length) this.faults.push(`call ${this.calls.length} ends as ${index}`);
    const json = this.#fragments.get(index);
    if (json === undefined) this.faults.push(`call ${index} ends without call-start`);
    else if (!this.#superseded.has(call.id) && !isJsonOf(json, call.arguments))
      this.faults.push(`the fragments of call ${index} are ${json}`);
  }
}

function isJsonOf(json: string, value: ToolCall['arguments']): boolean {
  try {
    return isDeepStrictEqual(asWritten(JSON.parse(json)), asWritten(value));
  } catch {
    return false;
  }
}

/** As it is read again once it was written: minus zero is written as zero. */
function asWritten(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}

/** Made-up ids are counted, and a call that is abandoned takes one: which number it is means nothing. */
function comparable({ calls, text, reasoning, spoken, lead, issues }: Reading): Reading {
  return {
    calls: calls.map((call) => (call.id.startsWith(NEW_ID) ? { ...call, id: NEW_ID } : call)),
    text,
    reasoning,
    spoken,
    lead,
    issues: issues
      .filter(({ code }) => !ABOUT_STREAMS.has(code))
      .map(({ callId, ...issue }) =>
        callId === undefined || callId.startsWith(NEW_ID) ? issue : { ...issue, callId },
      ),
  };
}

function numberedIds(): () => string {
  let count = 0;
  return () => `${NEW_ID}${++count}`;
}

/** Which part of two readings differs; undefined when none does. */
export function firstDifference(one: Reading, other: Reading): keyof Reading | undefined {
  const parts = ['calls', 'text', 'reasoning', 'issues'] as const;
  return parts.find((part) => !isDeepStrictEqual(plain(one[part]), plain(other[part])));
}

/** As JSON sees it: how an object was made, with or without a prototype, is no difference. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
