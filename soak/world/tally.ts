import type { ToldTurn } from '../clients/ask-turn.ts';
import type { ToldCall } from '../clients/mcp-message.ts';
import { isSuccess } from '../invariants/calls-complete.ts';

/** How often clients were told what. */
export class Tally {
  readonly turns = { succeeded: 0, failed: 0, refused: 0 };
  readonly calls: Record<ToldCall['how'], number> = { ok: 0, refused: 0, failed: 0, error: 0 };
  toldCalls = 0;
  /** Tool servers that were killed or stopped. */
  signalled = 0;
  /** Requests that were open at once when a burst of clients had come. */
  atOnce = 0;
  /** Times that the event loop of the gateway stood still. */
  stalls = 0;

  turn(told: ToldTurn): void {
    this.toldCalls += told.calls.length;
    if (isSuccess(told)) this.turns.succeeded++;
    else if (told.status === 503) this.turns.refused++;
    else this.turns.failed++;
  }

  call({ how }: ToldCall): void {
    this.calls[how]++;
  }
}
