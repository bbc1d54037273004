import type { UpstreamSpeech } from './client-protocol.ts';
import { FairShare } from './fair-share.ts';
import { readBounded } from './read-bounded.ts';
import { TurnRecord } from './turn-record.ts';
import { bringsContent } from './turn/brings-content.ts';
import type { TurnError } from './turn/turn-error.ts';
import type { TurnEvent } from './turn/turn-event.ts';
import type { TurnNotes } from './turn/turn-notes.ts';
import type { TurnReader } from './turn/turn-reader.ts';
import type { UpstreamFrame } from './turn/upstream-event.ts';
import type { OpenAnswer } from './upstream/open-answer.ts';

/** What a frame of the upstream came to. */
export interface TurnPart {
  readonly events: readonly TurnEvent[];
  readonly frame: UpstreamFrame;
}

/** A turn that was read to its end before anybody is told of it. */
export interface ReadTurn {
  readonly parts: readonly TurnPart[];
  readonly record: TurnRecord;
  readonly notes: TurnNotes;
  /** Whether the upstream told it as a stream, so that its frames are events of one. */
  readonly isStream: boolean;
}

export interface ReadTurnOptions {
  readonly speech: UpstreamSpeech;
  readonly reader: TurnReader;
  readonly maxBytes: number;
  /** What a failure in the middle is to the client. */
  readonly describe: (error: unknown) => TurnError;
}

/** Reads a whole turn, streamed or not. A failure in the middle is its last event. */
export async function readTurn(
  answer: OpenAnswer,
  { speech, reader, maxBytes, describe }: ReadTurnOptions,
): Promise<ReadTurn> {
  const parts: TurnPart[] = [];
  const record = new TurnRecord(true);
  const add = (events: readonly TurnEvent[], frame: UpstreamFrame): void => {
    record.add(events);
    parts.push({ events, frame });
  };
  try {
    for await (const frame of framesOf(answer, speech, maxBytes)) {
      add(reader.read(frame.events), frame);
      if (reader.hasFailed) break;
    }
    add(reader.end(), NO_FRAME);
  } catch (error) {
    add(reader.end(describe(error)), NO_FRAME);
  }
  return { parts, record, notes: reader.notes, isStream: answer.isStream };
}

async function* framesOf(
  answer: OpenAnswer,
  speech: UpstreamSpeech,
  maxBytes: number,
): AsyncGenerator<UpstreamFrame> {
  if (!answer.isStream) {
    yield speech.readAnswer(await readBounded(answer, maxBytes));
    return;
  }
  // Not asked for a stream, some servers answer with one.
  const frames = speech.createReader();
  const share = new FairShare();
  for await (const bytes of answer) {
    share.begin();
    for (const frame of frames.feed(bytes)) {
      if (bringsContent(frame)) answer.heard();
      yield frame;
      if (share.isUsedUp()) await share.rest();
    }
  }
  yield* frames.end();
}

/** For events that no event of a client's protocol brought. */
export const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };
