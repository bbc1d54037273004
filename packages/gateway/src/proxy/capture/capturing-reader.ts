import type { TurnError } from '../turn/turn-error.ts';
import type { TurnEvent } from '../turn/turn-event.ts';
import { TurnReader } from '../turn/turn-reader.ts';
import type { TurnOptions } from '../turn/turn-reader.ts';
import type { UpstreamEvent } from '../turn/upstream-event.ts';
import { CapturedTurn } from './captured-turn.ts';

/** A reader that keeps what it reads, and what it makes of it. */
export class CapturingReader extends TurnReader {
  readonly captured: CapturedTurn = new CapturedTurn();

  // eslint-disable-next-line @typescript-eslint/no-useless-constructor -- the type of its options is part of it
  constructor(options: TurnOptions) {
    super(options);
  }

  override read(events: readonly UpstreamEvent[]): TurnEvent[] {
    const told = super.read(events);
    this.captured.heard(events);
    this.captured.tell(told);
    return told;
  }

  override *readInSteps(
    events: readonly UpstreamEvent[],
  ): Generator<undefined, TurnEvent[], undefined> {
    const told = yield* super.readInSteps(events);
    this.captured.heard(events);
    this.captured.tell(told);
    return told;
  }

  override end(failure?: TurnError): TurnEvent[] {
    const told = super.end(failure);
    this.captured.tell(told);
    return told;
  }
}
