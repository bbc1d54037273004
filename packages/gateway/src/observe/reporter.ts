import type { CircuitBreaker, Failure } from '@holdfast/core/guard';
import type { Redactor } from '../redact/redactor.ts';
import type { CallEvent } from '../mcp/call/call-event.ts';
import type { CircuitTimelines } from './circuit-timelines.ts';
import type { CallEnded, EventSource, GatewayEvent } from './gateway-event.ts';
import type { Observer } from './observer.ts';
import { shortLine } from './short-line.ts';

export interface ReporterOptions {
  readonly observer: Observer;
  readonly source: EventSource;
  /** Takes secrets out of texts. */
  readonly redactor: Redactor;
  readonly timelines: CircuitTimelines;
}

/** The longest advice that is kept: it is written for a model, and may have several parts. */
const LONGEST_ADVICE = 1000;
const MOST_PLACES = 20;

/**
 * What one part of the gateway tells the observer. What others have said loses its secrets here, is cut, and holds
 * nothing of a call; what has no such text is passed on as it is, so that calls which go well pay nothing for it.
 */
export class Reporter {
  readonly #options: ReporterOptions;

  constructor(options: ReporterOptions) {
    this.#options = options;
  }

  /** Something that has no text of others. */
  emit(event: GatewayEvent): void {
    const { observer, source } = this.#options;
    observer.emit(source, event);
  }

  /** Something around a call. */
  tell(event: CallEvent): void {
    this.emit(this.#safe(event));
  }

  /** A call is over; `id`, `message` and `advice` are as they came. */
  ended(event: CallEnded): void {
    const { id, message, advice } = event;
    const { text: mask } = this.#options.redactor;
    const shownId = mask(id);
    if (message === undefined && advice === undefined && shownId === id) {
      this.emit(event);
      return;
    }
    this.emit({
      ...event,
      id: shownId,
      message: message === undefined ? undefined : this.line(message),
      advice: advice === undefined ? undefined : mask(advice).slice(0, LONGEST_ADVICE),
    });
  }

  /** A call through the circuit is over. */
  settled(circuit: CircuitBreaker): void {
    this.#options.timelines.settled(circuit);
  }

  /** A text of others as one short line without secrets, those of one request among them where it has any. */
  line(text: string, redactor: Redactor = this.#options.redactor): string {
    return shortLine(text, redactor.text);
  }

  #safe(event: CallEvent): CallEvent {
    switch (event.type) {
      case 'retry-scheduled':
      case 'retry-abandoned':
        return { ...event, failure: this.#safeFailure(event.failure) };
      case 'advice-given':
      case 'call-vetoed':
        return { ...event, log: this.line(event.log) };
      case 'advisor-failed': {
        const { error } = event;
        return { ...event, error: this.line(error instanceof Error ? error.message : '') };
      }
      case 'arguments-repaired':
        return { ...event, repairs: this.#safePlaces(event.repairs) };
      case 'arguments-refused':
        return { ...event, issues: this.#safePlaces(event.issues) };
      default:
        return event;
    }
  }

  /** Without its cause, which may be a whole result. */
  #safeFailure({ class: failureClass, message, status }: Failure): Failure {
    return {
      class: failureClass,
      message: this.line(message),
      ...(status === undefined ? {} : { status }),
    };
  }

  /** Places in arguments are named by keys, which a model may have made up. */
  #safePlaces(places: readonly string[]): readonly string[] {
    return places.slice(0, MOST_PLACES).map((place) => this.line(place));
  }
}
