import type { Clock } from '@holdfast/core';
import { Redactor } from '../redact/redactor.ts';
import { CircuitTimelines } from './circuit-timelines.ts';
import type { EventSource, GatewayEvent } from './gateway-event.ts';
import { Observer } from './observer.ts';
import { Reporter } from './reporter.ts';

export interface MemoryReporter {
  readonly report: Reporter;
  readonly observer: Observer;
  readonly timelines: CircuitTimelines;
  /** What was told so far, of one type. */
  readonly events: <Type extends GatewayEvent['type']>(
    type: Type,
  ) => readonly Extract<GatewayEvent, { type: Type }>[];
}

/** A reporter whose events a test can look at. */
export function memoryReporter(
  clock: Clock,
  source: EventSource = 'gateway',
  secrets: readonly string[] = [],
): MemoryReporter {
  const observer = new Observer({ clock });
  const timelines = new CircuitTimelines();
  const redactor = new Redactor(secrets);
  return {
    report: new Reporter({ observer, source, redactor, timelines }),
    observer,
    timelines,
    events: <Type extends GatewayEvent['type']>(type: Type) =>
      observer
        .recent()
        .map(({ event }) => event)
        .filter((event): event is Extract<GatewayEvent, { type: Type }> => event.type === type),
  };
}
