import { redactValue } from '../redact/redactor.ts';
import type { Mask } from '../redact/redactor.ts';
import type { BodyLimit } from '../http/body-limit.ts';
import type { UpstreamSpeech } from './client-protocol.ts';
import { FairShare, inTurns, restBefore } from './fair-share.ts';
import { HeldContent } from './held-content.ts';
import { readWholeAnswer } from './read-whole-answer.ts';
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
  readonly limit: BodyLimit;
  /** Takes secrets out of the errors of the upstream. */
  readonly mask: Mask;
  /** What a failure in the middle is to the client. */
  readonly describe: (error: unknown) => TurnError;
}

/** Reads a whole turn, streamed or not. A failure in the middle is its last event. */
export async function readTurn(
  answer: OpenAnswer,
  { speech, reader, limit, mask, describe }: ReadTurnOptions,
): Promise<ReadTurn> {
  const parts: TurnPart[] = [];
  const record = new TurnRecord(Infinity);
  const held = new HeldContent(limit, false);
  const add = (events: readonly TurnEvent[], frame: UpstreamFrame): void => {
    record.add(events);
    parts.push({ events, frame });
  };
  try {
    const share = new FairShare();
    for await (const told of framesOf(answer, speech, limit, share)) {
      const frame = redactErrors(told, mask);
      held.addFrame(frame);
      if (held.excess !== undefined) throw held.excess;
      add(await readFrame(reader, frame, share), frame);
      if (reader.hasFailed) break;
    }
    add(reader.end(), NO_FRAME);
    await restBefore(held.bytes);
  } catch (error) {
    add(reader.end(describe(error)), NO_FRAME);
  }
  return { parts, record, notes: reader.notes, isStream: answer.isStream };
}

/** Reads a frame; where that takes long, the others have their turn meanwhile. */
export async function readFrame(
  reader: TurnReader,
  { data, events }: UpstreamFrame,
  share: FairShare,
): Promise<TurnEvent[]> {
  const isLong = data.length > LONG_FRAME || events.some(({ type }) => type === 'finish');
  return isLong ? inTurns(reader.readInSteps(events), share) : reader.read(events);
}

async function* framesOf(
  answer: OpenAnswer,
  speech: UpstreamSpeech,
  limit: BodyLimit,
  share: FairShare,
): AsyncGenerator<UpstreamFrame> {
  if (!answer.isStream) {
    const whole = await readWholeAnswer(answer, limit);
    await restBefore(whole.text.length);
    share.begin();
    yield speech.readAnswer(whole.text, whole);
    return;
  }
  // Not asked for a stream, some servers answer with one.
  const frames = speech.createReader(limit.maxBytes);
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

/** The frame, without secrets where it is an error: servers quote the key that they refuse. */
export function redactErrors(frame: UpstreamFrame, mask: Mask): UpstreamFrame {
  if (!frame.events.some(({ type }) => type === 'error')) return frame;
  const safe = redactValue(frame, mask) as UpstreamFrame;
  return safe.body === undefined ? safe : { ...safe, data: JSON.stringify(safe.body) };
}
/** A shorter frame is read at once. In characters. */
const LONG_FRAME = 16_384;

/** For events that no event of a client's protocol brought. */
export const NO_FRAME: UpstreamFrame = { events: [], data: '', body: undefined };
