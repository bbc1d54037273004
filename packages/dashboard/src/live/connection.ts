import { signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { ask } from '../api/ask.ts';
import { ApiProblem } from '../api/api-problem.ts';
import { isLocked } from '../api/session.ts';
import { backoffMs } from './backoff.ts';
import { FrameBatch } from './frame-batch.ts';
import { readLiveEvent, readObject } from './live-event.ts';
import type { LiveEvent } from './live-event.ts';
import { readEventStream } from './read-event-stream.ts';
import type { StreamedEvent } from './read-event-stream.ts';
import { Silence } from './silence.ts';

export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly version: string }
  /** Lost; asked again at `retryAt`, in milliseconds since 1970. */
  | { readonly kind: 'lost'; readonly since: number; readonly retryAt: number };

type BatchListener = (events: readonly LiveEvent[]) => void;
type FreshListener = () => void;

const state = signal<ConnectionState>({ kind: 'connecting' });
const batchListeners = new Set<BatchListener>();
const freshListeners = new Set<FreshListener>();
const batch = new FrameBatch<LiveEvent>((events) => {
  for (const listener of batchListeners) listener(events);
});

/** The number of the last event, and of which run of the gateway it was. */
let lastSeq = 0;
let startedAt = '';
let stop: AbortController | undefined;
let wake: (() => void) | undefined;

export const connectionState: ReadonlySignal<ConnectionState> = state;

/** Is told of events, many at once. Returns what ends it. */
export function onEvents(listener: BatchListener): () => void {
  batchListeners.add(listener);
  return () => batchListeners.delete(listener);
}

/** Is told when what was fetched before may be out of date: connected again, or events were lost. */
export function onFresh(listener: FreshListener): () => void {
  freshListeners.add(listener);
  return () => freshListeners.delete(listener);
}

/** Asks again now, where it waits to. */
export function retryNow(): void {
  wake?.();
}

/** Listens until the page is gone: again and again, from where it was cut off. Does nothing while it runs. */
export function connect(): void {
  if (stop !== undefined) return;
  const controller = new AbortController();
  stop = controller;
  void listen(controller.signal).finally(() => {
    if (stop === controller) stop = undefined;
  });
}

/** Ends it; `connect` begins anew. */
export function disconnect(): void {
  stop?.abort();
  stop = undefined;
}

async function listen(signal: AbortSignal): Promise<void> {
  let failures = 0;
  let lostSince: number | undefined;
  for (;;) {
    const end = await listenOnce(signal);
    if (signal.aborted || isLocked.value) return;
    if (end === 'another-run') continue;
    if (end === 'lost') {
      failures = 0;
      lostSince = undefined;
    }
    failures++;
    lostSince ??= Date.now();
    const waitMs = backoffMs(failures);
    state.value = { kind: 'lost', since: lostSince, retryAt: Date.now() + waitMs };
    await pause(waitMs, signal);
  }
}

/** Never throws: whatever it was, it is tried again; whoever is locked out begins anew with the token. */
async function listenOnce(signal: AbortSignal): Promise<'lost' | 'unreachable' | 'another-run'> {
  const silence = new Silence(signal);
  let isGreeted = false;
  try {
    const answer = await ask(`/api/v1/events?after=${lastSeq}`, { signal: silence.signal });
    if (answer.body === null) throw new ApiProblem(0, 'the gateway sent nothing');
    for await (const event of readEventStream(answer.body, { onChunk: () => silence.broken() })) {
      if (event.type === 'hello') {
        if (isAnotherRun(event)) return 'another-run';
        isGreeted = true;
      } else take(event);
    }
  } catch {
    // As if it had ended.
  } finally {
    silence.end();
  }
  return isGreeted ? 'lost' : 'unreachable';
}

/** Another run of the gateway counts its events anew, so it has to be asked anew. */
function isAnotherRun(hello: StreamedEvent): boolean {
  const fields = readObject(hello.data);
  const started = String(fields['started_at']);
  const isOther = started !== startedAt && lastSeq > 0;
  startedAt = started;
  if (isOther) {
    lastSeq = 0;
    return true;
  }
  state.value = { kind: 'live', version: String(fields['version']) };
  tellFresh();
  return false;
}

function take({ type, data }: StreamedEvent): void {
  if (type === 'events-lost') {
    tellFresh();
    return;
  }
  const event = readLiveEvent(type, data);
  if (event === undefined) return;
  lastSeq = event.seq;
  batch.add(event);
}

function tellFresh(): void {
  for (const listener of freshListeners) listener();
}

/** Ends early when somebody asks for it, or the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      wake = undefined;
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
    wake = done;
  });
}
