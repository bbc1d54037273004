import { signal } from '@preact/signals';
import type { ExplainStep } from '../../api/api-types.ts';
import { FrameBatch } from '../../live/frame-batch.ts';
import { addRead, NOTHING_READ } from './read-part.ts';
import { SAMPLES } from './samples.ts';
import { streamParse } from './stream-parse.ts';
import type { ParseStreamEvent } from './stream-parse.ts';

export type Pace = 'slow' | 'fast' | 'at-once';

/** How long between two pieces, and how many characters a piece has. */
const PACES: Readonly<Record<Pace, { readonly delayMs: number; readonly chunkSize: number }>> = {
  slow: { delayMs: 20, chunkSize: 1 },
  fast: { delayMs: 2, chunkSize: 1 },
  'at-once': { delayMs: 0, chunkSize: 1_000_000 },
};

export const playgroundText = signal(SAMPLES[0]?.text ?? '');
export const pace = signal<Pace>('slow');

/** What is read, and which text it is of; undefined before the first run. */
export const read = signal(NOTHING_READ);
export const readText = signal<string | undefined>(undefined);
export const explanation = signal<readonly ExplainStep[] | undefined>(undefined);
export const problem = signal('');
export const isReading = signal(false);

let running: AbortController | undefined;

/** Has the text read, from the beginning. */
export async function run(): Promise<void> {
  stop();
  const controller = new AbortController();
  running = controller;
  const text = playgroundText.value;
  read.value = NOTHING_READ;
  readText.value = text;
  explanation.value = undefined;
  problem.value = '';
  isReading.value = true;
  const batch = new FrameBatch<ParseStreamEvent>((events) => {
    if (running !== controller) return;
    read.value = events.reduce(addRead, read.value);
    const done = events.find((event) => event.type === 'done');
    if (done !== undefined) {
      explanation.value = done.explain;
      isReading.value = false;
    }
  }, 0);
  try {
    for await (const event of streamParse({ text, ...PACES[pace.value] }, controller.signal)) {
      batch.add(event);
    }
  } catch (error) {
    if (!controller.signal.aborted) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    isReading.value = false;
  }
}

export function stop(): void {
  running?.abort();
  running = undefined;
  isReading.value = false;
}
