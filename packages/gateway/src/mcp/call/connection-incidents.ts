import { NotSentError } from './not-sent-error.ts';
import { ServerGoneError } from '../upstream/server-gone-error.ts';

/** Says which failures of calls have one cause: a server that ends takes all calls with it that were in flight. */
export class ConnectionIncidents {
  #calls = 0;
  /** Of the calls up to `last`. */
  #incident: { readonly last: number } | undefined;

  /** Returns the number of a call that begins. */
  begin(): number {
    return ++this.#calls;
  }

  /** Marks an error of a lost or refused connection with its incident, which circuits count once. */
  mark(error: unknown, call: number): void {
    if (!(error instanceof ServerGoneError || error instanceof NotSentError)) return;
    if (this.#incident === undefined || call > this.#incident.last) {
      this.#incident = { last: this.#calls };
    }
    error.incident ??= this.#incident;
  }
}
