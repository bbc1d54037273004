import type { ExplainStep, ReadCall } from '../../api/api-types.ts';
import { ask } from '../../api/ask.ts';
import { ApiProblem } from '../../api/api-problem.ts';
import { readEventStream } from '../../live/read-event-stream.ts';

export interface StreamParseOptions {
  readonly text: string;
  readonly chunkSize: number;
  readonly delayMs: number;
}

/** What the gateway tells while it reads a text. */
export type ParseStreamEvent =
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'markup'; readonly raw: string }
  | {
      readonly type: 'call-start';
      readonly id: string;
      readonly name: string;
      readonly format: string;
    }
  | { readonly type: 'call-delta'; readonly id: string; readonly fragment: string }
  | { readonly type: 'call-end'; readonly call: ReadCall; readonly raw: string }
  | { readonly type: 'issue'; readonly issue: ParseIssue }
  | { readonly type: 'progress'; readonly position: number }
  | {
      readonly type: 'done';
      readonly calls: readonly ReadCall[];
      readonly explain: readonly ExplainStep[];
    };

export interface ParseIssue {
  readonly code: string;
  readonly message: string;
  readonly offset: number;
  readonly call_id?: string;
}

/** Has a text read by the gateway as if a model were writing it. */
export async function* streamParse(
  { text, chunkSize, delayMs }: StreamParseOptions,
  signal: AbortSignal,
): AsyncGenerator<ParseStreamEvent, void, undefined> {
  const answer = await ask('/api/v1/parse/stream', {
    method: 'POST',
    body: JSON.stringify({ text, chunk_size: chunkSize, delay_ms: delayMs }),
    signal,
  });
  if (answer.body === null) throw new ApiProblem(0, 'the gateway sent nothing');
  for await (const { type, data } of readEventStream(answer.body)) {
    // The page and the gateway are one build, as in `getJson`.
    yield { ...(JSON.parse(data) as object), type } as ParseStreamEvent;
  }
}
